/** `pkg/schema/validators/validators.gen.ts`: Ajv standalone code of the server's validators. */
import { compileStandalone } from '../../pkg/schema/validators/standalone.ts';
import { isRequired, objectResources, reached } from './facts.ts';
import type { Facts, FieldFacts, Model, ValueFacts } from './facts.ts';
import type { GeneratedFile } from './generated-file.ts';
import { HEADER } from './generated-file.ts';
import type { JsonSchema } from './json-schema.ts';
import { scalarShapeOf } from './shapes.ts';

/** Request bodies besides objects of the kinds. */
const BODIES = ['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'];

/** Their types check presence and enums in their rules, because the causes need Kubernetes' paths. */
const CHECKED_BY_RULES: readonly string[] = ['meta/v1', 'core/v1'];

const typesOf = (shortName: string): string => `types.${shortName}`;
const fieldsOf = (shortName: string): string => `fields.${shortName}`;

/** Checks JSON types, ranges and syntax, but not presence. */
function typeSchema(facts: Facts, value: ValueFacts): JsonSchema {
  const scalar = scalarShapeOf(value);
  if (scalar !== undefined) return { scalar };
  if (value.type === 'array') return { type: 'array', items: typeSchema(facts, value.items ?? { type: 'any' }) };
  if (value.type === 'map') return { type: 'object', additionalProperties: typeSchema(facts, value.values ?? { type: 'any' }) };
  const model = facts.modelOf(value.ref ?? '');
  return model.shape === 'array'
    ? typeSchema(facts, { type: 'array', ...(model.items === undefined ? {} : { items: model.items }) })
    : { $ref: `#/$defs/${typesOf(model.shortName)}` };
}

const typeDefinition = (facts: Facts, { fields = [] }: Model): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, typeSchema(facts, field)])),
});

/** Absent fields of metadata and status are filled with zero values. */
const isFilledIn = (kinds: ReadonlySet<string>, owner: Model, field: FieldFacts): boolean =>
  field.ref === 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' || (kinds.has(owner.model) && field.name === 'status');

/** Constraints of a field: presence and enums. `undefined` if none. `constrained`: types with constraints. */
function fieldSchema(value: ValueFacts, constrained: ReadonlyMap<string, string>, pointer: boolean): JsonSchema | undefined {
  // For a field that is not a pointer, the empty string equals an absent field, which `required` handles.
  if (value.enum !== undefined) return { enum: [...new Set([...value.enum, ...(pointer ? [] : [''])])].sort() };
  if (value.items !== undefined) {
    const items = fieldSchema(value.items, constrained, true);
    return items === undefined ? undefined : { items };
  }
  if (value.values !== undefined) {
    const values = fieldSchema(value.values, constrained, true);
    return values === undefined ? undefined : { additionalProperties: values };
  }
  const ref = value.ref === undefined ? undefined : constrained.get(value.ref);
  return ref === undefined ? undefined : { $ref: ref };
}

/** In Go, an empty string or list cannot be distinguished from an absent one. */
const emptiness = ({ pointer, type, format }: FieldFacts): JsonSchema =>
  pointer !== true && format === undefined && (type === 'string' || type === 'array') ? { filled: true } : {};

function fieldDefinition(
  owner: Model,
  constrained: ReadonlyMap<string, string>,
  kinds: ReadonlySet<string>,
): { required?: string[]; properties?: Record<string, JsonSchema> } {
  const fields = CHECKED_BY_RULES.includes(owner.folder) ? [] : (owner.fields ?? []).filter((field) => !isFilledIn(kinds, owner, field));
  const required = fields.filter((field) => isRequired(field) && field.absenceAllowed !== true);
  const properties = fields.flatMap((field) => {
    const schema = {
      ...fieldSchema(field, constrained, field.pointer === true),
      ...(required.includes(field) ? emptiness(field) : {}),
    };
    return Object.keys(schema).length === 0 ? [] : [[field.name, schema] as const];
  });
  return {
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

/** `batch.v1.CronJob` → `batchV1CronJob`: the type name alone is the same in several versions. */
const nameOf = (shortName: string): string => shortName.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());

export function generateValidators(facts: Facts): GeneratedFile[] {
  const kinds = objectResources(facts).map(({ model }) => model);
  const reviews = facts.files.flatMap(({ review }) => (review === undefined ? [] : [review.model]));
  const roots = [...kinds, ...reviews, ...BODIES].map(facts.modelOf);
  const models = reached(facts, roots).filter(({ shape }) => shape === 'object');
  const definitions: Record<string, JsonSchema> = {};
  for (const model of models) definitions[typesOf(model.shortName)] = typeDefinition(facts, model);
  // Referenced types come before the types that refer to them.
  const constrained = new Map<string, string>();
  for (const model of models) {
    const definition = fieldDefinition(model, constrained, new Set([...kinds, ...reviews]));
    if (Object.keys(definition).length === 0 && !roots.includes(model)) continue;
    definitions[fieldsOf(model.shortName)] = definition;
    constrained.set(model.model, `#/$defs/${fieldsOf(model.shortName)}`);
  }
  const exported = roots.flatMap(({ shortName }) => [
    [`${nameOf(shortName)}Types`, typesOf(shortName)],
    [`${nameOf(shortName)}Fields`, fieldsOf(shortName)],
  ]);
  const table = roots.map(({ shortName: name }) => `  '${name}': { types: ${nameOf(name)}Types, fields: ${nameOf(name)}Fields },\n`);
  const text = `${HEADER}// @ts-nocheck
import * as checks from '../scalar-checks.ts';
import type { CompiledValidators } from './compiled.ts';
import { addError, joinErrors } from './compiled.ts';

${compileStandalone({ definitions, exported: Object.fromEntries(exported) as Record<string, string> })}

export const compiledValidators: CompiledValidators = {
${table.join('')}};
`;
  return [{ path: 'pkg/schema/validators/validators.gen.ts', text }];
}
