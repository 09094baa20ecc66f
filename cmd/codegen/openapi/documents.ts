/**
 * `schemas/openapi`: one Swagger 2.0 document (`v2.json`), and OpenAPI 3.0 documents divided as in Kubernetes
 * (`v3/apis/batch/v1.json`). Group names have the default suffix; the server rewrites them for another one.
 */
import { DEFAULT_GROUP_SUFFIX } from '../../../pkg/apis/group-suffix.ts';
import { KUBERNETES_MAJOR, KUBERNETES_MINOR } from '../../../pkg/server/discovery/version.ts';
import { reached } from '../facts.ts';
import type { Facts, Model } from '../facts.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { capitalised, groupWordOf, pathOfVersion, pathsOfResource, plainPath } from './operations.ts';
import type { PathOperations } from './operations.ts';
import { openApi3Path } from './openapi3.ts';
import { pathsOfReview } from './review-operations.ts';
import { OPENAPI_3, SWAGGER, modelSchema } from './schemas.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Dialect, GroupVersionKind } from './schemas.ts';
import { sharedParameters, swaggerPath } from './swagger.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const VERSION_INFO = 'io.k8s.apimachinery.pkg.version.Info';
/** Types in every group version: clients encode and decode them with the codec of the group version in use. */
const EVERYWHERE = new Set([`${META}.DeleteOptions`, `${META}.WatchEvent`]);
const INFO = { title: 'Coxswain', version: `${KUBERNETES_MAJOR}.${KUBERNETES_MINOR}` };
const TOKEN = { description: 'The word Bearer, a space and a token.', type: 'apiKey', in: 'header', name: 'authorization' };
const SECURITY = [{ BearerToken: [] }];

const completed = (group: string): string => group.replace('{group_suffix}', DEFAULT_GROUP_SUFFIX);

/** The content of one document. */
interface DocumentPart {
  /** The end of the document's path, such as `apis/batch/v1`. */
  readonly name: string;
  readonly paths: readonly PathOperations[];
  readonly resources: readonly PathsOfResource[];
}

/** A kind, a view or a review. */
interface PathsOfResource {
  readonly group: string;
  readonly version: string;
  readonly paths: readonly PathOperations[];
}

const resourcesOf = (facts: Facts): readonly PathsOfResource[] =>
  facts.files.flatMap(({ resource, view, review }) => [
    ...(resource === undefined ? [] : [{ ...resource, paths: pathsOfResource(resource, completed) }]),
    ...(view === undefined ? [] : [{ ...view, paths: pathsOfResource(view, completed) }]),
    ...(review === undefined ? [] : [{ ...(review.parent ?? review), paths: pathsOfReview(review, completed) }]),
  ]);

function groupVersionPart(group: string, version: string, resources: readonly PathsOfResource[]): DocumentPart {
  const name = pathOfVersion({ group: completed(group), version });
  const word = groupWordOf(group);
  const id = `get${capitalised(word)}${capitalised(version)}APIResources`;
  const discovery = plainPath(`/${name}/`, id, `${word}_${version}`, 'Says which resources are served.', `${META}.APIResourceList`);
  return { name, resources, paths: [discovery, ...resources.flatMap(({ paths }) => paths)] };
}

function groupPart(group: string): DocumentPart {
  const name = `apis/${completed(group)}`;
  const word = groupWordOf(group);
  const paths = [
    plainPath(`/${name}/`, `get${capitalised(word)}APIGroup`, word, 'Says which versions of the group are served.', `${META}.APIGroup`),
  ];
  return { name, resources: [], paths };
}

function partsOf(facts: Facts): readonly DocumentPart[] {
  const resources = resourcesOf(facts);
  const groupVersions = Map.groupBy(resources, ({ group, version }) => `${group}/${version}`);
  const plain = (name: string, id: string, tag: string, description: string, model: string): DocumentPart => ({
    name,
    resources: [],
    paths: [plainPath(`/${name}/`, id, tag, description, model)],
  });
  return [
    plain('api', 'getCoreAPIVersions', 'core', 'Says which versions of the group without a name are served.', `${META}.APIVersions`),
    plain('apis', 'getAPIVersions', 'apis', 'Says which groups are served.', `${META}.APIGroupList`),
    ...[...new Set(resources.map(({ group }) => group))].filter((group) => group !== '').map(groupPart),
    ...[...groupVersions].map(([, [first, ...others]]) => {
      if (first === undefined) throw new Error('a group version has no resource');
      return groupVersionPart(first.group, first.version, [first, ...others]);
    }),
    plain('version', 'getCodeVersion', 'version', 'Says which version the server has.', VERSION_INFO),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Top-level types have their own kind and apiVersion. */
const isTopLevel = ({ fields = [] }: Model): boolean => fields.some(({ name, inline = [] }) => name === 'kind' && inline.length > 0);

function gvksOf(model: Model, resources: readonly PathsOfResource[]): readonly GroupVersionKind[] {
  if (model.gvk !== undefined) return [{ ...model.gvk, group: completed(model.gvk.group) }];
  if (EVERYWHERE.has(model.model)) {
    const all = [{ group: '', version: 'v1' }, ...resources.map(({ group, version }) => ({ group: completed(group), version }))];
    const groupVersions = new Map(all.map((groupVersion) => [pathOfVersion(groupVersion), groupVersion]));
    return [...groupVersions.values()].map((groupVersion) => ({ ...groupVersion, kind: model.typeName }));
  }
  return isTopLevel(model) ? [{ group: '', version: 'v1', kind: model.typeName }] : [];
}

/** Schemas of all types reachable from the paths, by name. */
function schemasOf(facts: Facts, dialect: Dialect, paths: readonly PathOperations[], resources: readonly PathsOfResource[]): JsonSchema {
  const operations = paths.flatMap((path) => Object.values(path.operations));
  const named = operations.flatMap(({ body, answers }) => [...(body === undefined ? [] : [body.model]), ...Object.values(answers)]);
  const models = reached(facts, [...new Set(named)].map(facts.modelOf)).flatMap((model) => [model, ...scalarsOf(facts, model)]);
  const byName = new Map(models.filter(({ shape }) => shape !== 'array').map((model) => [model.model, model]));
  return Object.fromEntries(
    [...byName]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, model]) => [name, modelSchema(facts, dialect, model, gvksOf(model, resources))]),
  );
}

const scalarsOf = (facts: Facts, { fields = [] }: Model): Model[] =>
  fields
    .flatMap((field) => [field, ...[field.items, field.values].filter((value) => value !== undefined)])
    .flatMap(({ model }) => (model === undefined ? [] : [facts.modelOf(model)]));

const pathsObject = (paths: readonly PathOperations[], render: (path: PathOperations) => JsonSchema): JsonSchema =>
  Object.fromEntries(paths.map((each) => [each.path, render(each)]));

/** One line per operation and schema: compact, with readable diffs. */
function toText(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${toText(member, depth - 1)}`);
  return `{\n${members.join(',\n')}\n}`;
}

export function generateOpenApi(facts: Facts): GeneratedFile[] {
  const parts = partsOf(facts);
  const paths = parts.flatMap((part) => part.paths);
  const resources = parts.flatMap((part) => part.resources);
  const swagger = {
    swagger: '2.0',
    info: INFO,
    securityDefinitions: { BearerToken: TOKEN },
    security: SECURITY,
    parameters: sharedParameters(paths),
    paths: pathsObject(paths, swaggerPath),
    definitions: schemasOf(facts, SWAGGER, paths, resources),
  };
  const documents = parts.map((part) => ({
    path: `schemas/openapi/v3/${part.name}.json`,
    text: toText({
      openapi: '3.0.0',
      info: INFO,
      security: SECURITY,
      paths: pathsObject(part.paths, openApi3Path),
      components: { schemas: schemasOf(facts, OPENAPI_3, part.paths, part.resources), securitySchemes: { BearerToken: TOKEN } },
    }),
  }));
  return [{ path: 'schemas/openapi/v2.json', text: toText(swagger) }, ...documents];
}
