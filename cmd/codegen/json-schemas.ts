/**
 * `schemas/<group>/<version>/<Kind>.json`: self-contained JSON Schema 2020-12 files for the kinds, views and their
 * lists, the reviews, and the kinds of meta/v1 and apidiscovery/v2 in requests and answers.
 */
import { apiVersionOf, isRequired, objectResources, reached } from './facts.ts';
import type { Facts, FieldFacts, Model, ValueFacts } from './facts.ts';
import type { GeneratedFile } from './generated-file.ts';
import type { JsonSchema } from './json-schema.ts';

const INT_OR_STRING: JsonSchema = { anyOf: [{ type: 'integer', format: 'int32' }, { type: 'string' }] };

// Only formats that ajv-formats knows: validators may reject unknown ones.
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  int32: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { type: 'integer', format: 'int64' },
  float: { type: 'number', format: 'float' },
  double: { type: 'number', format: 'double' },
  byte: { type: 'string', format: 'byte' },
  'date-time': { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time', pattern: '\\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$' },
  duration: { type: 'string', pattern: '^[+-]?(0|([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)|\\.[0-9]+(ns|us|µs|μs|ms|s|m|h))+)$' },
  quantity: {
    anyOf: [{ type: 'string', pattern: '^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$' }, { type: 'number' }],
  },
  'int-or-string': INT_OR_STRING,
  'raw-extension': {},
  'fields-v1': { type: 'object' },
};

const LISTED_FOLDERS = ['meta/v1', 'apidiscovery/v2'];

function valueSchema(facts: Facts, value: ValueFacts): JsonSchema {
  const scalar = value.format === undefined ? undefined : SCALARS[value.format];
  if (scalar !== undefined) return scalar;
  switch (value.type) {
    case 'any':
      return {};
    case 'array':
      return { type: 'array', items: valueSchema(facts, value.items ?? { type: 'any' }) };
    case 'map':
      return { type: 'object', additionalProperties: valueSchema(facts, value.values ?? { type: 'any' }) };
    case 'ref': {
      const model = facts.modelOf(value.ref ?? '');
      return model.shape === 'array'
        ? { type: 'array', items: valueSchema(facts, model.items ?? { type: 'any' }) }
        : { $ref: `#/$defs/${model.shortName}` };
    }
    default:
      return value.enum === undefined ? { type: value.type } : { type: value.type, enum: [...value.enum].sort() };
  }
}

/** The server writes `null` for an empty field that is never omitted. */
function fieldSchema(facts: Facts, field: FieldFacts): JsonSchema {
  const schema = valueSchema(facts, field);
  const nullable =
    field.zeroEmits === null && Object.keys(schema).length > 0 ? { anyOf: [...anyOfMembers(schema), { type: 'null' }] } : schema;
  return { ...described(field), ...nullable, ...(field.default === undefined ? {} : { default: field.default }) };
}

const described = ({ description }: { readonly description?: string }): JsonSchema => (description === undefined ? {} : { description });

const anyOfMembers = (schema: JsonSchema): readonly unknown[] =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'] as unknown[]) : [schema];

/** Any group suffix is allowed: it is a setting of the server. */
function apiVersionSchema({ group, version }: { readonly group: string; readonly version: string }): JsonSchema {
  const [name = '', suffix] = group.split('.{group_suffix}');
  if (suffix === undefined) return { type: 'string', const: apiVersionOf({ group, version }) };
  return { type: 'string', pattern: `^${name.replaceAll('.', '\\.')}\\.[^/]+/${version}$` };
}

/** kind and apiVersion are optional for list items. Types without `gvk`, such as DeleteOptions, allow any version. */
const fixedFields = (model: Model): Readonly<Record<string, JsonSchema>> =>
  isTopLevel(model)
    ? {
        kind: { type: 'string', const: model.typeName },
        ...(model.gvk === undefined ? {} : { apiVersion: apiVersionSchema(model.gvk) }),
      }
    : {};

function objectSchema(facts: Facts, model: Model, fixed: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const { fields = [] } = model;
  const required = fields.filter((field) => isRequired(field)).map(({ name }) => name);
  const properties = fields.map((field) => [field.name, fixed[field.name] ?? fieldSchema(facts, field)]);
  return {
    ...described(model),
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
  };
}

/** `batch/v1` of `batch.v1.CronJob` */
const folderOf = ({ shortName }: Model): string => shortName.split('.').slice(0, -1).join('/');

/** Top-level types have their own kind and apiVersion, from TypeMeta. */
const isTopLevel = (model: Model): boolean => (model.fields ?? []).some(({ name, inline = [] }) => name === 'kind' && inline.length > 0);

function schemaFile(facts: Facts, root: Model): GeneratedFile {
  const file = `schemas/${folderOf(root)}/${root.typeName}.json`;
  const definitions = reached(facts, [root]).filter((model) => model !== root && model.shape === 'object');
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:coxswain:${file}`,
    title: root.typeName,
    ...objectSchema(facts, root, fixedFields(root)),
    $defs: Object.fromEntries(definitions.map((model) => [model.shortName, objectSchema(facts, model)])),
  };
  return { path: file, text: `${JSON.stringify(schema, undefined, 1)}\n` };
}

export function generateJsonSchemas(facts: Facts): GeneratedFile[] {
  const kinds = objectResources(facts).flatMap(({ model, listModel }) => [model, listModel]);
  const meta = facts.modelsIn('meta/v1').filter((model) => isTopLevel(model) && LISTED_FOLDERS.includes(folderOf(model)));
  const reviews = facts.files.flatMap(({ review }) => (review === undefined ? [] : [review.model]));
  return [...[...kinds, ...reviews].map(facts.modelOf), ...meta]
    .filter(({ fields = [] }) => fields.some(({ name }) => name !== 'kind' && name !== 'apiVersion'))
    .map((model) => schemaFile(facts, model));
}
