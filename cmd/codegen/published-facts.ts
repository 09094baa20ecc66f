/** Creates the `facts.json` of a kind from facts about all of Kubernetes: a file of resources and files of types. */
import { apiVersionOf, refsOfModel, type ResourceFacts, type TypeFacts } from './facts.ts';

export interface PublishedResource extends ResourceFacts {
  /** `group` with the placeholder `{group_suffix}` instead of the suffix. */
  readonly specGroup: string;
}

export interface PublishedType extends TypeFacts {
  readonly goPackage: string;
}

export interface Published {
  readonly resources: readonly PublishedResource[];
  /** By model name. */
  readonly types: Readonly<Record<string, PublishedType>>;
}

type Types = Readonly<Record<string, TypeFacts>>;

/** Merges files. A file with `resources` contains resources, every other file contains types. */
export function joinPublished(files: readonly object[]): Published {
  const resources = files.flatMap((file) => ('resources' in file ? (file.resources as readonly PublishedResource[]) : []));
  return { resources, types: Object.assign({}, ...files.filter((file) => !('resources' in file))) as Published['types'] };
}

/** `{...}/api/batch/v1` → `batch/v1`, `{...}/apis/meta/v1` → `meta/v1`. */
const packageFolder = ({ goPackage }: PublishedType): string => goPackage.replace(/^.*\/apis?\//, '');

/** The kind's folder below `pkg/apis`. Throws if the kind is not published. */
export function kindFolder({ resources, types }: Published, kind: string): string {
  const resource = resourceOf(resources, kind);
  return `${packageFolder(typeOf(types, resource.model))}/${resource.plural}`;
}

/**
 * `known`: types already in other folders of `pkg/apis`. `before`: types of the replaced `facts.json`, whose
 * `absenceAllowed` is kept, because it is not published. Throws if a type of another package is missing.
 */
export function makeKindFacts(published: Published, kind: string, known: ReadonlySet<string>, before: Types = {}): string {
  const { specGroup, ...resource } = resourceOf(published.resources, kind);
  const own = packageFolder(typeOf(published.types, resource.model));
  const types: Record<string, TypeFacts> = {};
  const add = (model: string): void => {
    if (known.has(model) || types[model] !== undefined) return;
    const type = typeOf(published.types, model);
    if (packageFolder(type) !== own)
      throw new Error(`${kind} needs ${model}: add it to pkg/apis/${packageFolder(type)}/facts.json first, with its descriptions`);
    types[model] = withOwnFacts(type, before[model]);
    for (const ref of refsOfModel({ ...type, model, shortName: model, typeName: model, folder: own })) add(ref);
  };
  add(resource.model);
  add(resource.listModel);
  const apiVersion = apiVersionOf({ group: specGroup, version: resource.version });
  const names = JSON.stringify({ ...resource, group: specGroup, apiVersion }, undefined, 1);
  const lines = Object.keys(types)
    .sort()
    .map((model) => typeLines(model, types[model] ?? { shape: 'object' }));
  const text = `{\n"resource": ${names},\n"types": {\n${lines.join(',\n')}\n}\n}\n`;
  return text.replaceAll(`"group": "${resource.group}"`, `"group": "${specGroup}"`);
}

function resourceOf(resources: readonly PublishedResource[], kind: string): PublishedResource {
  const found = resources.find((resource) => resource.kind === kind);
  if (found === undefined)
    throw new Error(`nothing is published about ${kind}, only about ${resources.map((each) => each.kind).join(', ')}`);
  return found;
}

function typeOf(types: Published['types'], model: string): PublishedType {
  const found = types[model];
  if (found === undefined) throw new Error(`nothing is published about the type ${model}: name the file that has it, too`);
  return found;
}

function withOwnFacts(type: TypeFacts, before: TypeFacts | undefined): TypeFacts {
  const fields = type.fields?.map((field) => {
    const allowed = before?.fields?.find(({ name }) => name === field.name)?.absenceAllowed;
    return allowed === undefined ? field : { ...field, absenceAllowed: allowed };
  });
  return fields === undefined ? type : { ...type, fields };
}

/** One line per field, for readable diffs. */
function typeLines(model: string, { fields, ...type }: TypeFacts): string {
  const head = ` ${JSON.stringify(model)}: ${spaced(fields?.length === 0 ? { ...type, fields } : type)}`;
  if (fields === undefined || fields.length === 0) return head;
  return `${head.slice(0, -1)}, "fields": [\n${fields.map((field) => `  ${spaced(field)}`).join(',\n')}\n ]}`;
}

/** JSON on one line with spaces after colons and commas. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2');
