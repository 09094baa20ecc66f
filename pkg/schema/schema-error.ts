/** From an error of a compiled validator to the cause that a client reads: Kubernetes' field path, reason and wording. */
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { required } from '../apimachinery/status/causes.ts';
import type { CauseReason, StatusCause } from '../apimachinery/status/status-error.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../apis/type-shape.ts';
import type { CompiledError } from './validators/compiled.ts';

/** A value in a message may be as large as a request; a client recognises it by its beginning. */
const MAX_QUOTED = 256;

/** Where a JSON pointer leads. */
interface Place {
  /** `spec.containers[0].image`, `metadata.labels[key]` */
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly shape: TypeShape | undefined;
  /** The struct's field, when the place is one. */
  readonly field: FieldShape | undefined;
}

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  if (typeof value !== 'object' || value === null || value instanceof RawJson || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, JsonValue | undefined>>)[key];
};

/** Names of structs follow a dot, indexes and map keys stand in brackets: only the shape tells which is which. */
function step({ path, value, shape }: Place, token: string): Place {
  const inner = memberOf(value, token);
  if (shape?.shape === 'array') return { path: `${path}[${token}]`, value: inner, shape: shape.items, field: undefined };
  if (shape?.shape === 'map') return { path: `${path}[${token}]`, value: inner, shape: shape.values, field: undefined };
  const field = shape?.shape === 'object' ? shape.fields.find(({ name }) => name === token) : undefined;
  return { path: path === '' ? token : `${path}.${token}`, value: inner, shape: field?.type, field };
}

function placeOf(shape: ObjectShape, object: JsonValue, pointer: string): Place {
  const tokens = pointer.split('/').slice(1);
  return tokens
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(step, { path: '', value: object, shape, field: undefined });
}

function quoted(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return '"array"';
  if (typeof value === 'object' && value !== null) return '"object"';
  if (typeof value === 'bigint') return value.toString();
  const text = JSON.stringify(typeof value === 'string' && value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : (value ?? null));
  return text;
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
  time: 'a time as RFC 3339 has it, such as "2006-01-02T15:04:05Z"',
  'micro-time': 'a time as RFC 3339 has it, with six fractional digits, such as "2006-01-02T15:04:05.000000Z"',
  duration: 'a duration such as "1h30m"',
  quantity: 'a quantity such as "500m" or "2Gi"',
  'int-or-string': 'an integer between -2147483648 and 2147483647 or a string',
  raw: 'JSON',
  'fields-v1': 'an object',
  any: 'JSON',
};

/** `''` is the same as absent outside pointers and then not worth naming. */
function supportedValues({ params }: CompiledError, { field }: Place): string {
  const words = (params.allowedValues ?? []).filter((word) => word !== '' || field?.pointer === true);
  return words.map((word) => `"${word}"`).join(', ');
}

const cause = (field: string, reason: CauseReason, message: string): StatusCause => ({
  reason,
  message,
  ...(field === '' ? {} : { field }),
});

/** `error` must come from a validator that was compiled for `shape` and was given `object`. */
export function toStatusCause(shape: ObjectShape, object: JsonValue, error: CompiledError): StatusCause {
  const place = placeOf(shape, object, error.instancePath);
  switch (error.keyword) {
    case 'required':
      return required(step(place, error.params.missingProperty ?? '').path);
    case 'filled':
      return required(place.path);
    case 'enum':
      return cause(
        place.path,
        'FieldValueNotSupported',
        `Unsupported value: ${quoted(place.value)}: supported values: ${supportedValues(error, place)}`,
      );
    default:
      return cause(
        place.path,
        'FieldValueTypeInvalid',
        `Invalid value: ${quoted(place.value)}: must be ${EXPECTED[place.shape?.shape ?? 'any']}`,
      );
  }
}
