/**
 * `schemas/config/<Kind>.json` for editors, and `schemas/config/document.json` for a file whose documents are of several kinds. In draft 7, which the
 * YAML language server knows best; old names are allowed and marked deprecated, everything else unknown is refused.
 */
import type { ConfigField, ConfigKind, ConfigShape } from '../../../pkg/config/kinds/config-kind.ts';
import type { GeneratedFile } from '../generated-file.ts';
import type { ConfigFacts } from './facts.ts';
import { shapesOf } from './facts.ts';

type Schema = Readonly<Record<string, unknown>>;

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const FOLDER = 'schemas/config';
const INT32: Schema = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const DURATION = '^[+-]?(0|([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)|\\.[0-9]+(ns|us|µs|μs|ms|s|m|h))+)$';
const SUFFIX = '\\.[^/]+/';

export function generateConfigSchemas(facts: ConfigFacts): GeneratedFile[] {
  const files = facts.kinds.map((kind) => ({
    path: `${FOLDER}/${kind.kind}.json`,
    schema: {
      title: kind.kind,
      ...documentSchema(kind, shapeOf(facts, kind.kind)),
      definitions: definitionsOf(facts, [kind]),
    },
  }));
  const any = {
    path: `${FOLDER}/document.json`,
    schema: {
      title: 'A configuration of a controller manager',
      description: 'Any of the kinds, by `kind`. For files with documents of several kinds.',
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: facts.kinds.flatMap(spelledKinds) } },
      allOf: facts.kinds.map((kind) => ({
        if: { properties: { kind: { enum: spelledKinds(kind) } }, required: ['kind'] },
        then: documentSchema(kind, shapeOf(facts, kind.kind)),
      })),
      definitions: definitionsOf(facts, facts.kinds),
    },
  };
  return [...files, any].map(({ path, schema }) => ({
    path,
    text: `${JSON.stringify({ $schema: DRAFT, $id: `urn:coxswain:${path}`, ...schema }, undefined, 1)}\n`,
  }));
}

const shapeOf = (facts: ConfigFacts, name: string): ConfigShape => shapesOf(facts, name)[0] ?? { name, description: '', fields: [] };

const spelledKinds = ({ kind, oldKind }: ConfigKind): string[] => [kind, ...(oldKind === undefined ? [] : [oldKind])];

function definitionsOf(facts: ConfigFacts, kinds: readonly ConfigKind[]): Schema {
  const shapes = new Set(kinds.flatMap(({ kind }) => shapesOf(facts, kind).slice(1)));
  const nested = new Map(facts.kinds.map((kind) => [kind.kind as string, kind]));
  return Object.fromEntries(
    [...shapes].map((shape) => {
      const kind = nested.get(shape.name);
      return [shape.name, objectSchema(shape, kind === undefined ? {} : identity(kind))];
    }),
  );
}

/** The suffix of a group is a setting of the cluster, so it stays open. */
function identity({ kind, oldKind, group, oldGroup, version, otherVersions = [] }: ConfigKind): Schema {
  const groups = [group, ...(oldGroup === undefined ? [] : [oldGroup])].map((each) => each.replaceAll('.', '\\.'));
  const versions = [version, ...otherVersions];
  return {
    apiVersion: { type: 'string', pattern: `^(${groups.join('|')})${SUFFIX}(${versions.join('|')})$` },
    kind: { type: 'string', enum: [kind, ...(oldKind === undefined ? [] : [oldKind])] },
  };
}

const documentSchema = (kind: ConfigKind, shape: ConfigShape): Schema => ({
  ...objectSchema(shape, identity(kind)),
  required: ['apiVersion', 'kind'],
});

function objectSchema({ description, fields }: ConfigShape, fixed: Schema): Schema {
  const properties = fields.flatMap((field) => {
    const schema = fieldSchema(field);
    const old = { ...schema, deprecated: true, description: `The older name of \`${field.name}\`.` };
    return [[field.name, schema], ...(field.oldName === undefined ? [] : [[field.oldName, old]])];
  });
  return {
    description,
    type: 'object',
    additionalProperties: false,
    properties: { ...fixed, ...(Object.fromEntries(properties) as Schema) },
  };
}

function fieldSchema(field: ConfigField): Schema {
  const { description, default: fallback, movedTo } = field;
  return {
    description,
    ...(movedTo === undefined ? {} : { deprecated: true, description: `Now \`${movedTo}\`.` }),
    ...valueSchema(field),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/** `null` is what a key without a value says: the default. */
function valueSchema({ type, format, shape, minimum, maximum, values }: ConfigField): Schema {
  if (type === 'object') return { anyOf: [{ $ref: `#/definitions/${shape ?? ''}` }, { type: 'null' }] };
  if (type === 'list') {
    return { type: ['array', 'null'], items: shape === undefined ? { type: 'string' } : { $ref: `#/definitions/${shape}` } };
  }
  const bounds = { ...(typeof minimum === 'number' ? { minimum } : {}), ...(maximum === undefined ? {} : { maximum }) };
  return {
    type: [type, 'null'],
    ...(format === 'int32' ? INT32 : {}),
    ...bounds,
    ...(format === 'duration' ? { pattern: DURATION } : {}),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}
