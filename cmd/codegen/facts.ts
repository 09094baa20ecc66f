/**
 * The type facts: a `facts.json` each for the shared types of meta/v1, core/v1 and batch/v1, and one in every kind's
 * folder, each with a `descriptions.json`. They are the only source of the generated files. `README.md` explains the
 * keys.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describeTypes, readDescriptions } from './descriptions.ts';

/** The type of a field, an array element or a map value. */
export interface ValueFacts {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'map' | 'ref' | 'any';
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly ref?: string;
  readonly items?: ValueFacts;
  readonly values?: ValueFacts;
  /** The name of a named scalar or array type. */
  readonly model?: string;
}

export interface ProtobufFacts {
  readonly number: number;
  readonly label: 'optional' | 'repeated' | 'map';
  /** `string`, `int64`, or the name of a message; for a map, the type of its values. */
  readonly type: string;
  /** For maps. */
  readonly keyType?: string;
}

export interface FieldFacts extends ValueFacts {
  readonly name: string;
  readonly required: boolean;
  readonly requiredBy: string;
  /** Set if the specification differs from the declaration; it takes precedence. */
  readonly specRequired?: boolean;
  /** Required only by its declaration: an absent field equals its zero value, which is accepted. */
  readonly absenceAllowed?: boolean;
  readonly omit: 'empty' | 'zero' | 'never';
  readonly pointer?: boolean;
  readonly zeroEmits?: unknown;
  readonly default?: unknown;
  readonly inline?: readonly { readonly from: string; readonly protobuf: { readonly number: number } | null }[];
  /** `null`: not encoded. */
  readonly protobuf?: ProtobufFacts | null;
  readonly goName: string;
  /** The default in OpenAPI documents. */
  readonly openapiDefault?: unknown;
  readonly patchStrategy?: readonly string[];
  readonly patchMergeKey?: string;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly structType?: 'atomic' | 'granular';
  readonly unionDiscriminator?: boolean;
  /** From `descriptions.json`; for a flattened field usually from its original struct. */
  readonly description?: string;
}

export interface TypeFacts {
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly shape: 'object' | 'array' | 'scalar';
  readonly fields?: readonly FieldFacts[];
  readonly items?: ValueFacts;
  readonly type?: ValueFacts['type'];
  readonly format?: string;
  readonly structType?: 'atomic' | 'granular';
  /** At most one of the fields is set. */
  readonly union?: boolean;
  /** From `descriptions.json`. */
  readonly description?: string;
}

export interface ResourceFacts {
  readonly kind: string;
  readonly listKind: string;
  /** With the placeholder `{group_suffix}` where the group has one. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The subresources that the server serves, whether or not the specification lists them. */
  readonly servedSubresources: readonly SubresourceFacts[];
  readonly model: string;
  readonly listModel: string;
  /** `Status` or the kind. */
  readonly deleteReturns: string;
}

/** Its body is the kind. */
export interface SubresourceFacts {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** A resource that is not stored, with create as its only verb. */
export interface ReviewFacts extends Pick<ResourceFacts, 'kind' | 'group' | 'version' | 'plural' | 'singular' | 'model' | 'namespaced'> {
  /** It is posted to a subresource of another resource's objects, which have namespaces. */
  readonly parent?: ReviewParentFacts;
}

export interface ReviewParentFacts {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  /** Id of the operation in OpenAPI. */
  readonly operation: string;
}

/** One `facts.json`. It has a `resource`, a `view`, a `review`, or only shared types. */
export interface FactsFile {
  /** Relative to `pkg/apis`, such as `batch/v1/cronjobs`. */
  readonly folder: string;
  readonly resource?: ResourceFacts;
  /** Another version of the kind in the parent folder. */
  readonly view?: ResourceFacts;
  readonly review?: ReviewFacts;
  readonly types: Readonly<Record<string, TypeFacts>>;
  /** `rules.md` of the same folder: the validation rules as Markdown for users. */
  readonly rules?: string;
  /** The kind's YAML manifest in `examples`. */
  readonly example?: string;
}

/** A type with its names, folder and facts. */
export interface Model extends TypeFacts {
  /** `io.k8s.api.batch.v1.CronJobSpec` */
  readonly model: string;
  /** `batch.v1.CronJobSpec` */
  readonly shortName: string;
  /** `CronJobSpec`: the name in TypeScript, unique in its folder. */
  readonly typeName: string;
  readonly folder: string;
}

export interface Facts {
  /** Shared types first, then the kinds, both ordered by folder. */
  readonly files: readonly FactsFile[];
  /** The type with a model name. Throws if it does not exist. */
  readonly modelOf: (model: string) => Model;
  readonly modelsIn: (folder: string) => readonly Model[];
}

/** Folders of types that are shared between kinds. */
export const SHARED_FOLDERS: readonly string[] = [
  'meta/v1',
  'core/v1',
  'batch/v1',
  'authentication/v1',
  'authorization/v1',
  'rbac/v1',
  'audit/v1',
];

/** Whether a type is in a kind's folder, or among the shared types of its group and version. */
export const isOwnType = (kindFolder: string, { folder }: Model): boolean => folder === kindFolder || kindFolder.startsWith(`${folder}/`);

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${String(error)}`, { cause: error });
  }
}

function parseFacts(text: string, folder: string): FactsFile {
  const facts = parseJson(text, `pkg/apis/${folder}/facts.json`) as Omit<FactsFile, 'folder'>;
  if (typeof facts.types !== 'object') throw new Error(`pkg/apis/${folder}/facts.json has no types`);
  return { folder, ...facts };
}

function readFiles(apis: string): readonly FactsFile[] {
  const folders = [...SHARED_FOLDERS, ...resourceFolders(apis)];
  const descriptions = readDescriptions(folders.map((folder) => path.join(apis, folder, 'descriptions.json')));
  const files = folders.map((folder) => parseFacts(readFileSync(path.join(apis, folder, 'facts.json'), 'utf8'), folder));
  const textIn = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  const described = describeTypes(Object.fromEntries(files.flatMap(({ types }) => Object.entries(types))), descriptions);
  return files.map((file) => ({
    ...file,
    ...optional('rules', textIn(path.join(apis, file.folder, 'rules.md'))),
    ...optional('example', textIn(path.join(apis, '../../examples', `${file.resource?.singular ?? ''}.yaml`))),
    types: Object.fromEntries(Object.entries(file.types).map(([model, facts]) => [model, described[model] ?? facts])),
  }));
}

const optional = <Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> =>
  text === undefined ? {} : ({ [name]: text } as Record<Name, string>);

/** Folders below `pkg/apis` with a kind, a view or a review, in byte order. */
export function resourceFolders(apis: string): string[] {
  return readdirSync(apis, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'facts.json')
    .map((file) => path.dirname(file).split(path.sep).join('/'))
    .filter((folder) => !SHARED_FOLDERS.includes(folder))
    .sort();
}

export function shortNameOf(model: string): string {
  return model.replace(/^io\.k8s\.(api|apimachinery\.pkg\.apis|apimachinery\.pkg)\./, '');
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Names from unversioned packages get a prefix, because they collide or are unclear alone: `RuntimeTypeMeta`. */
function typeNameOf(shortName: string): string {
  const parts = shortName.split('.');
  const name = parts.at(-1) ?? shortName;
  const parent = parts.at(-2) ?? '';
  return parent === 'runtime' || parent === 'version' ? capitalised(parent) + name : name;
}

export function readFacts(apis: string): Facts {
  const files = readFiles(apis);
  const byFolder = new Map<string, readonly Model[]>();
  const byName = new Map<string, Model>();
  for (const { folder, types } of files) {
    const models = Object.entries(types).map(([model, facts]) => {
      const shortName = shortNameOf(model);
      return { ...facts, model, shortName, typeName: typeNameOf(shortName), folder };
    });
    byFolder.set(folder, models);
    for (const model of models) byName.set(model.model, model);
  }
  return {
    files,
    modelOf: (name) => {
      const model = byName.get(name);
      if (model === undefined) throw new Error(`no facts about type ${name}`);
      return model;
    },
    modelsIn: (folder) => byFolder.get(folder) ?? [],
  };
}

/** The resources with objects: the kinds and their views. */
export const objectResources = ({ files }: Facts): ResourceFacts[] =>
  files.flatMap(({ resource, view }) => [...(resource === undefined ? [] : [resource]), ...(view === undefined ? [] : [view])]);

/** `<group>/<version>`, or only the version for the core group. */
export const apiVersionOf = ({ group, version }: Pick<ResourceFacts, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** The specification takes precedence over the declaration. */
export const isRequired = (field: FieldFacts): boolean => field.specRequired ?? field.required;

/** The types that `value` refers to directly. */
function refsOf(value: ValueFacts): string[] {
  const inner = value.items ?? value.values;
  return [...(value.ref === undefined ? [] : [value.ref]), ...(inner === undefined ? [] : refsOf(inner))];
}

/** The types that `model` refers to directly. */
export const refsOfModel = (model: Model): string[] => [
  ...new Set([...(model.fields ?? []).flatMap(refsOf), ...(model.items === undefined ? [] : refsOf(model.items))]),
];

/** `roots` and all types reachable from them, each after the types it refers to. Throws on a cycle. */
export function reached(facts: Facts, roots: readonly Model[]): Model[] {
  const done = new Map<string, Model>();
  const open = new Set<string>();
  const visit = (model: Model): void => {
    if (done.has(model.model)) return;
    if (open.has(model.model)) throw new Error(`type ${model.model} contains itself`);
    open.add(model.model);
    for (const ref of refsOfModel(model)) visit(facts.modelOf(ref));
    done.set(model.model, model);
  };
  for (const root of roots) visit(root);
  return [...done.values()];
}
