/** Converts errors of compiled validators to causes with Kubernetes' field path, reason and wording. */
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { required } from '../apimachinery/status/causes.ts';
import type { CauseReason, StatusCause } from '../apimachinery/status/status-error.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../apis/type-shape.ts';
import type { CompiledError } from './validators/compiled.ts';

/** A value may be as large as the request, so messages show only its start. */
const MAX_QUOTED = 256;

/** The target of a JSON pointer. */
interface Location {
  /** `spec.containers[0].image`, `metadata.labels[key]` */
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly shape: TypeShape | undefined;
  /** Set if the target is a field of a struct. */
  readonly field: FieldShape | undefined;
  /** The target is a value of a map, such as the data of a Secret. */
  readonly isMapValue?: true;
}

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  if (typeof value !== 'object' || value === null || value instanceof RawJson || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, JsonValue | undefined>>)[key];
};

/** Fields follow a dot; indexes and map keys are in brackets, depending on the shape. */
function descend({ path, value, shape }: Location, token: string): Location {
  const inner = memberOf(value, token);
  if (shape?.shape === 'array') return { path: `${path}[${token}]`, value: inner, shape: shape.items, field: undefined };
  if (shape?.shape === 'map') {
    return { path: `${path}[${token}]`, value: inner, shape: shape.values, field: undefined, isMapValue: true };
  }
  const field = shape?.shape === 'object' ? shape.fields.find(({ name }) => name === token) : undefined;
  return { path: path === '' ? token : `${path}.${token}`, value: inner, shape: field?.type, field };
}

function locate(shape: ObjectShape, object: JsonValue, pointer: string): Location {
  const tokens = pointer.split('/').slice(1);
  return tokens
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(descend, { path: '', value: object, shape, field: undefined });
}

function quoted(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return '"array"';
  if (typeof value === 'object' && value !== null) return '"object"';
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(typeof value === 'string' && value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : (value ?? null));
}

const EXPECTED: Readonly<Record<TypeShape['shape'], string>> = {
  object: 'an object',
  array: 'an array',
  map: 'an object',
  string: 'a string',
  boolean: 'a boolean',
  int32: 'an integer between -2147483648 and 2147483647',
  int64: 'an integer between -9223372036854775808 and 9223372036854775807',
  number: 'a number',
  bytes: 'a string in base64',
  time: 'an RFC 3339 time such as "2006-01-02T15:04:05Z"',
  'micro-time': 'an RFC 3339 time with six fractional digits such as "2006-01-02T15:04:05.000000Z"',
  duration: 'a duration such as "1h30m"',
  quantity: 'a quantity such as "500m" or "2Gi"',
  'int-or-string': 'an integer between -2147483648 and 2147483647 or a string',
  raw: 'JSON',
  'fields-v1': 'an object',
  any: 'JSON',
};

/** Outside pointers `''` is equivalent to absent, so it is not listed. */
function supportedValues({ params }: CompiledError, { field }: Location): string {
  const words = (params.allowedValues ?? []).filter((word) => word !== '' || field?.pointer === true);
  return words.map((word) => `"${word}"`).join(', ');
}

const cause = (field: string, reason: CauseReason, message: string): StatusCause => ({
  reason,
  message,
  ...(field === '' ? {} : { field }),
});

/** `error` must come from the validator compiled for `shape`, called with `object`. */
export function toStatusCause(shape: ObjectShape, object: JsonValue, error: CompiledError): StatusCause {
  const location = locate(shape, object, error.instancePath);
  switch (error.keyword) {
    case 'required':
      return required(descend(location, error.params.missingProperty ?? '').path);
    case 'filled':
      return required(location.path);
    case 'enum':
      return cause(
        location.path,
        'FieldValueNotSupported',
        `Unsupported value: ${quoted(location.value)}: supported values: ${supportedValues(error, location)}`,
      );
    default: {
      const expected = location.shape?.shape ?? 'any';
      // Secrets have their data in maps, and messages are in audits of metadata alone.
      const shown = location.isMapValue === true ? '' : `${quoted(location.value)}: `;
      return cause(location.path, 'FieldValueTypeInvalid', `Invalid value: ${shown}must be ${EXPECTED[expected]}`);
    }
  }
}
