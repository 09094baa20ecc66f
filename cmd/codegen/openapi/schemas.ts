/** OpenAPI schemas of the types in the two dialects that Kubernetes publishes: Swagger 2.0 and OpenAPI 3.0. */
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
  /** Not in Swagger 2.0: clients of that time sent the defaults as values. */
  readonly showsDefaults: boolean;
  /** OpenAPI 3.0 ignores siblings of `$ref`, so a reference with other keywords goes into `allOf`. */
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

/** The model that a value refers to: an object or a named scalar. */
const refOf = (facts: Facts, value: ValueFacts): Model | undefined => {
  const name = value.ref ?? value.model;
  if (name === undefined) return undefined;
  const model = facts.modelOf(name);
  return model.shape === 'array' ? undefined : model;
};

function reference(dialect: Dialect, model: Model, keywords: JsonSchema): JsonSchema {
  const ref = { $ref: dialect.refPrefix + model.model };
  return dialect.wrapsReferences && Object.keys(keywords).length > 0 ? { ...keywords, allOf: [ref] } : { ...keywords, ...ref };
}

const ZERO: Readonly<Partial<Record<ValueFacts['type'], unknown>>> = { string: '', integer: 0, number: 0, boolean: false };

/** Of bytes there is none: in Go they are a slice, which is nil. */
const zeroOf = ({ type, format }: ValueFacts): unknown => (format === 'byte' ? undefined : ZERO[type]);

/** Elements of arrays and maps have their zero value as the default, because they are never absent. */
function elementSchema(facts: Facts, dialect: Dialect, value: ValueFacts): JsonSchema {
  const model = refOf(facts, value);
  const zero = model === undefined ? zeroOf(value) : model.shape === 'object' ? {} : undefined;
  return valueSchema(facts, dialect, value, dialect.showsDefaults && zero !== undefined ? { default: zero } : {});
}

function valueSchema(facts: Facts, dialect: Dialect, value: ValueFacts, keywords: JsonSchema): JsonSchema {
  const model = refOf(facts, value);
  if (model !== undefined) return reference(dialect, model, keywords);
  switch (value.type) {
    case 'array':
      return { ...keywords, type: 'array', items: elementSchema(facts, dialect, value.items ?? { type: 'any' }) };
    case 'map':
      return { ...keywords, type: 'object', additionalProperties: elementSchema(facts, dialect, value.values ?? { type: 'any' }) };
    case 'ref': // a named array type
      return valueSchema(facts, dialect, { ...facts.modelOf(value.ref ?? ''), type: 'array' }, keywords);
    case 'any':
      return keywords;
    default:
      return {
        ...keywords,
        type: value.type,
        ...(value.format === undefined ? {} : { format: value.format }),
        ...(value.enum === undefined ? {} : { enum: [...value.enum].sort() }),
      };
  }
}

/** No empty default for an enum: it is not one of the values, and openapi-generator generates broken Python for it. */
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

/** At most one member is set. The discriminator, if any, has the member's Go name as its value. */
function unionExtension(fields: readonly FieldFacts[]): JsonSchema {
  const discriminator = fields.find(({ unionDiscriminator }) => unionDiscriminator === true);
  const members = fields.filter((field) => field !== discriminator).map(({ name, goName }) => [name, goName]);
  const union = { ...(discriminator === undefined ? {} : { discriminator: discriminator.name }) };
  return { 'x-kubernetes-unions': [{ ...union, 'fields-to-discriminateBy': Object.fromEntries(members) as JsonSchema }] };
}

/** `gvks`: the groups, versions and kinds under which the type is a top-level object. */
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
