/** The operations of every path, independent of the dialect. */
import { groupName } from '../../../pkg/apis/group-name.ts';
import { PROTOBUF } from '../../../pkg/server/negotiation/output.ts';
import { PATCH_MEDIA_TYPES } from '../../../pkg/server/negotiation/patch-media-type.ts';
import type { ResourceFacts } from '../facts.ts';
import type { Parameter } from './parameters.ts';
import { DELETE, DELETE_COLLECTION, LIST, PATCH, WRITE, parametersOfPath } from './parameters.ts';
import type { GroupVersionKind } from './schemas.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface Operation {
  readonly id: string;
  readonly description: string;
  readonly tag: string;
  /** `x-kubernetes-action`; absent for paths that are not resources. */
  readonly action?: string;
  readonly gvk?: GroupVersionKind;
  readonly deprecated?: true;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly model: string; readonly required: boolean; readonly mediaTypes: readonly string[] };
  readonly produces: readonly string[];
  /** The type of each successful answer, by status code. */
  readonly answers: Readonly<Record<number, string>>;
}

export interface PathOperations {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** The media types of objects. */
export const OBJECT = ['application/json', 'application/yaml', PROTOBUF];
/** Always JSON, whatever the client accepts. */
const JSON_ONLY = ['application/json'];
const STREAM = [...OBJECT, 'application/json;stream=watch', `${PROTOBUF};stream=watch`];
export const ANY = ['*/*'];

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** For tags and operation ids: `internal.apiserver.{group_suffix}` → `internalApiserver`, the core group → `core`. */
export const groupWordOf = (group: string): string =>
  groupName(group)
    .replace('.{group_suffix}', '')
    .split('.')
    .map((word, index) => (index === 0 ? word : capitalised(word)))
    .join('');

/** `apis/batch/v1`, or `api/v1` for the core group. */
export const pathOfVersion = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** All paths of one resource, in byte order. */
export function pathsOfResource(resource: ResourceFacts, groupOf: (group: string) => string): readonly PathOperations[] {
  const { kind, version, namespaced, plural, model, listModel } = resource;
  const gvk = { group: groupOf(resource.group), version, kind };
  const base = `/${pathOfVersion(gvk)}`;
  const prefix = capitalised(groupWordOf(resource.group)) + capitalised(version);
  const scope = namespaced ? 'Namespaced' : '';
  const inNamespace = namespaced ? '/namespaces/{namespace}' : '';
  const common = { tag: `${groupWordOf(resource.group)}_${version}`, gvk, produces: OBJECT };
  const written = { required: true, mediaTypes: ANY, model };
  const status = `${META}.Status`;
  const deleted = resource.deleteReturns === 'Status' ? status : model;
  const options = { model: `${META}.DeleteOptions`, required: false, mediaTypes: ANY };

  const read = (suffix: string, what: string): Operation => ({
    ...common,
    id: `read${prefix}${scope}${kind}${suffix}`,
    description: `Reads ${what}.`,
    action: 'get',
    parameters: [],
    answers: { 200: model },
  });
  const replace = (suffix: string, what: string): Operation => ({
    ...common,
    id: `replace${prefix}${scope}${kind}${suffix}`,
    description: `Replaces ${what}. With metadata.resourceVersion in the body only if that is still the newest.`,
    action: 'put',
    parameters: WRITE,
    body: written,
    answers: { 200: model, 201: model },
  });
  const patch = (suffix: string, what: string): Operation => ({
    ...common,
    id: `patch${prefix}${scope}${kind}${suffix}`,
    description: `Changes a part of ${what}.`,
    action: 'patch',
    parameters: PATCH,
    body: { model: `${META}.Patch`, required: true, mediaTypes: PATCH_MEDIA_TYPES },
    answers: { 200: model, 201: model },
  });
  const list = (suffix: string, where: string): Operation => ({
    ...common,
    id: `list${prefix}${suffix}`,
    description: `Lists every ${kind}${where}, or watches them.`,
    action: 'list',
    parameters: LIST,
    produces: STREAM,
    answers: { 200: listModel },
  });
  const watch = (suffix: string, action: string, what: string): Operation => ({
    ...common,
    id: `watch${prefix}${suffix}`,
    description: `Watches ${what}. Deprecated: a list with the parameter watch does the same${action === 'watch' ? ', with a field selector for metadata.name' : ''}.`,
    deprecated: true,
    action,
    parameters: LIST,
    produces: STREAM,
    answers: { 200: `${META}.WatchEvent` },
  });
  const where = namespaced ? ' of a namespace' : '';
  const collection: PathOperations['operations'] = {
    get: list(`${scope}${kind}`, where),
    post: {
      ...common,
      id: `create${prefix}${scope}${kind}`,
      description: `Creates a ${kind}.`,
      action: 'post',
      parameters: WRITE,
      body: written,
      answers: { 200: model, 201: model, 202: model },
    },
    delete: {
      ...common,
      id: `delete${prefix}Collection${scope}${kind}`,
      description: `Deletes every ${kind}${where} that the selectors match.`,
      action: 'deletecollection',
      parameters: DELETE_COLLECTION,
      body: options,
      answers: { 200: status },
    },
  };
  const one: PathOperations['operations'] = {
    get: read('', `a ${kind}`),
    put: replace('', `a ${kind}`),
    patch: patch('', `a ${kind}`),
    delete: {
      ...common,
      id: `delete${prefix}${scope}${kind}`,
      description: `Deletes a ${kind}; 202 when its finalizers have to go first.`,
      action: 'delete',
      parameters: DELETE,
      body: options,
      answers: { 200: deleted, 202: deleted },
    },
  };
  const paths: Record<string, PathOperations['operations']> = {
    [`${base}${inNamespace}/${plural}`]: collection,
    [`${base}${inNamespace}/${plural}/{name}`]: one,
    [`${base}/watch${inNamespace}/${plural}`]: { get: watch(`${scope}${kind}List`, 'watchlist', `every ${kind}${where}`) },
    [`${base}/watch${inNamespace}/${plural}/{name}`]: { get: watch(`${scope}${kind}`, 'watch', `one ${kind}`) },
  };
  if (namespaced) {
    paths[`${base}/${plural}`] = { get: list(`${kind}ForAllNamespaces`, ' of all namespaces') };
    paths[`${base}/watch/${plural}`] = { get: watch(`${kind}ListForAllNamespaces`, 'watchlist', `every ${kind} of all namespaces`) };
  }
  for (const { name, verbs } of resource.servedSubresources) {
    const suffix = capitalised(name);
    const part = `the ${name} of a ${kind}`;
    paths[`${base}${inNamespace}/${plural}/{name}/${name}`] = {
      ...(verbs.includes('get') && { get: read(suffix, part) }),
      ...(verbs.includes('update') && { put: replace(suffix, part) }),
      ...(verbs.includes('patch') && { patch: patch(suffix, part) }),
    };
  }
  return Object.entries(paths)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, operations]) => ({ path, parameters: parametersOfPath(path, kind), operations }));
}

/** A discovery path or `/version/`: only GET. */
export const plainPath = (path: string, id: string, tag: string, description: string, model: string): PathOperations => ({
  path,
  parameters: [],
  operations: {
    get: { id, tag, description, parameters: [], produces: path === '/version/' ? JSON_ONLY : OBJECT, answers: { 200: model } },
  },
});
