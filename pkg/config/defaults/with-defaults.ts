/** Completes the values of a file with defaults, in the order of the facts, and freezes them deeply. */
import type { ConfigField, ConfigKind, ConfigShape } from '../kinds/config-kind.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';
import { shapeNamed } from '../read/field-names.ts';
import { apiVersionOf } from '../read/type-meta.ts';

export type FrozenValues = Readonly<Record<string, unknown>>;

export interface DefaultsOf {
  readonly kind: ConfigKind;
  /** The suffix of the document's group, which some defaults contain. */
  readonly suffix: string;
}

const SUFFIX_PLACEHOLDER = '{group_suffix}';

/** `values`: the values that the file sets. */
export function withDefaults(values: FrozenValues, of: DefaultsOf): FrozenValues {
  return completed(shapeNamed(of.kind.kind), values, of);
}

function completed(shape: ConfigShape, values: FrozenValues, of: DefaultsOf): FrozenValues {
  const identity = CONFIG_KINDS.find(({ kind }) => kind === shape.name);
  const fields = shape.fields.filter(({ movedTo }) => movedTo === undefined);
  return Object.freeze({
    ...(identity === undefined ? {} : { apiVersion: apiVersionOf(identity, of.suffix), kind: identity.kind }),
    ...Object.fromEntries(fields.map((field) => [field.name, completedField(field, values[field.name], of)])),
  });
}

function completedField(field: ConfigField, value: unknown, of: DefaultsOf): unknown {
  if (field.type === 'object') return completed(shapeNamed(field.shape), isValues(value) ? value : {}, of);
  const isSet = value !== undefined && !(field.emptyIsDefault === true && isEmpty(value));
  const effective = isSet ? value : defaultOf(field, of);
  if (!Array.isArray(effective)) return effective;
  const { shape } = field;
  const elements: readonly unknown[] = effective;
  return Object.freeze(
    shape === undefined ? [...elements] : elements.map((each) => completed(shapeNamed(shape), isValues(each) ? each : {}, of)),
  );
}

/** The default of a field in a document of this kind and suffix. Objects have no default of their own. */
export function defaultOf(field: ConfigField, { kind, suffix }: DefaultsOf): unknown {
  return withSuffix(field.defaultIn?.[kind.kind] ?? field.default, suffix);
}

function withSuffix(value: unknown, suffix: string): unknown {
  if (typeof value === 'string') return value.replaceAll(SUFFIX_PLACEHOLDER, suffix);
  if (Array.isArray(value)) return value.map((each) => withSuffix(each, suffix));
  if (!isValues(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSuffix(each, suffix)]));
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

const isValues = (value: unknown): value is FrozenValues => typeof value === 'object' && value !== null && !Array.isArray(value);
