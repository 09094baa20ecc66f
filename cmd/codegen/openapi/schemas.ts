/** The types as OpenAPI schemas, in the two dialects that Kubernetes publishes: Swagger 2.0 and OpenAPI 3.0. */
import { isRequired } from '../facts.ts';
import type { Facts, FieldFacts, Model, ValueFacts } from '../facts.ts';
import type { JsonSchema } from '../json-schema.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Dialect {
  readonly refPrefix: '#/definitions/' | '#/components/schemas/';
  /** Swagger 2.0 documents show none: clients of that time took them for values to send. */
  readonly showsDefaults: boolean;
  /** OpenAPI 3.0 ignores what stands beside `$ref`, so a reference that has company goes into `allOf`. */
  readonly wrapsReferences: boolean;
  readonly scalars: Readonly<Record<string, JsonSchema>>;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  'date-time': { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  'fields-v1': { type: 'object' },
  'raw-extension': { type: 'object' },
};

export const SWAGGER: Dialect = {
  refPrefix: '#/definitions/',
  showsDefaults: false,
  wrapsReferences: false,
  scalars: { ...SCALARS, quantity: { type: 'string' }, 'int-or-string': { type: 'string', format: 'int-or-string' } },
};

export const OPENAPI_3: Dialect = {
  refPrefix: '#/components/schemas/',
  showsDefaults: true,
  wrapsReferences: true,
  scalars: {
    ...SCALARS,
    quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    'int-or-string': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
};

/** The model that a value refers to: another object, or a scalar with a name of its own. */
const refOf = (facts: Facts, value: ValueFacts): Model | undefined => {
  const name = value.ref ?? value.model;
  if (name === undefined) return undefined;
  const model = facts.modelOf(name);
  return model.shape === 'array' ? undefined : model;
};

/** `company`: the keywords that stand beside the reference. */
function reference(dialect: Dialect, model: Model, company: JsonSchema): JsonSchema {
  const ref = { $ref: dialect.refPrefix + model.model };
  return dialect.wrapsReferences && Object.keys(company).length > 0 ? { ...company, allOf: [ref] } : { ...company, ...ref };
}

const ZERO: Readonly<Partial<Record<ValueFacts['type'], unknown>>> = { string: '', integer: 0, number: 0, boolean: false };

/** An element of an array or a map is never absent: what it holds before it is filled counts as its default. */
function elementSchema(facts: Facts, dialect: Dialect, value: ValueFacts): JsonSchema {
  const model = refOf(facts, value);
  const zero = model === undefined ? ZERO[value.type] : model.shape === 'object' ? {} : undefined;
  return valueSchema(facts, dialect, value, dialect.showsDefaults && zero !== undefined ? { default: zero } : {});
}

function valueSchema(facts: Facts, dialect: Dialect, value: ValueFacts, company: JsonSchema): JsonSchema {
  const model = refOf(facts, value);
  if (model !== undefined) return reference(dialect, model, company);
  switch (value.type) {
    case 'array':
      return { ...company, type: 'array', items: elementSchema(facts, dialect, value.items ?? { type: 'any' }) };
    case 'map':
      return { ...company, type: 'object', additionalProperties: elementSchema(facts, dialect, value.values ?? { type: 'any' }) };
    case 'ref': // an array with a name of its own
      return valueSchema(facts, dialect, { ...facts.modelOf(value.ref ?? ''), type: 'array' }, company);
    case 'any':
      return company;
    default:
      return {
        ...company,
        type: value.type,
        ...(value.format === undefined ? {} : { format: value.format }),
        ...(value.enum === undefined ? {} : { enum: [...value.enum].sort() }),
      };
  }
}

/** An enum has no empty default: it would not be one of the words, and openapi-generator makes broken Python of it. */
const shownDefault = ({ openapiDefault, enum: words }: FieldFacts): JsonSchema =>
  openapiDefault === undefined || (words !== undefined && openapiDefault === '') ? {} : { default: openapiDefault };

function fieldSchema(facts: Facts, dialect: Dialect, field: FieldFacts): JsonSchema {
  const { description, listType, listMapKeys, patchStrategy, patchMergeKey } = field;
  const mapType = field.mapType ?? field.structType;
  return valueSchema(facts, dialect, field, {
    ...(description === undefined ? {} : { description }),
    ...(dialect.showsDefaults ? shownDefault(field) : {}),
    ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
    ...(listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': listMapKeys }),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
    ...(patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': patchStrategy.join(',') }),
    ...(patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  });
}

/** At most one member is set; where there is a discriminator, it names the one by its name in Go. */
function unionExtension(fields: readonly FieldFacts[]): JsonSchema {
  const discriminator = fields.find(({ unionDiscriminator }) => unionDiscriminator === true);
  const members = fields.filter((field) => field !== discriminator).map(({ name, goName }) => [name, goName]);
  const union = { ...(discriminator === undefined ? {} : { discriminator: discriminator.name }) };
  return { 'x-kubernetes-unions': [{ ...union, 'fields-to-discriminateBy': Object.fromEntries(members) as JsonSchema }] };
}

/** `gvks`: under which groups, versions and kinds the type travels as a whole. */
export function modelSchema(facts: Facts, dialect: Dialect, model: Model, gvks: readonly GroupVersionKind[]): JsonSchema {
  const { description, fields = [], structType, union = false, format } = model;
  const described = description === undefined ? {} : { description };
  if (model.shape === 'scalar') return { ...described, ...(format === undefined ? { type: model.type } : dialect.scalars[format]) };
  const required = fields.filter(isRequired).map(({ name }) => name);
  return {
    ...described,
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(fields.length === 0
      ? {}
      : { properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(facts, dialect, field)])) }),
    ...(gvks.length === 0 ? {} : { 'x-kubernetes-group-version-kind': gvks }),
    ...(structType === undefined ? {} : { 'x-kubernetes-map-type': structType }),
    ...(union ? unionExtension(fields) : {}),
  };
}
