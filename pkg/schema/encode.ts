/**
 * Objects to canonical JSON, the form in which they are stored: fields in the order of the type facts, what Go writes for empty fields,
 * map keys by their bytes, canonical times and quantities, no `metadata.resourceVersion`. Equal objects have equal bytes.
 *
 * The type is walked once per kind and becomes a tree of writers with their keys ready: 2.7 KB of CronJob take 12 µs (JSON.stringify: 5).
 */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, quote, sortedNames, writeJson } from '../apimachinery/json/write-json.ts';
import { rememberRecent } from '../apimachinery/recent/remember-recent.ts';
import { normalizeQuantity } from '../apimachinery/quantity/quantity.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import { normalizeMicroTime, normalizeTime } from '../apimachinery/time/rfc3339.ts';
import type { FieldShape, ObjectShape, ScalarShape, TypeShape } from '../apis/type-shape.ts';

/** What an object may weigh as it is stored. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** The text of a value. A value of another type than the shape says is written as it is. */
type ValueWriter = (value: JsonValue) => string;

interface FieldWriter {
  readonly name: string;
  /** `"schedule":` */
  readonly key: string;
  /** What stands for an absent field, key included; empty: nothing. */
  readonly absent: string;
  /** An empty value is left out, as Go's `omitempty` does. */
  readonly omitsEmpty: boolean;
  readonly write: ValueWriter;
}

/**
 * A writer of whole objects. Their `metadata.resourceVersion` is left out; nested ones are data and stay. Throws StatusError
 * RequestEntityTooLarge as soon as a list or map in it alone is too large to be stored; what it returns may be too large all the same.
 */
export function compileObjectWriter(shape: ObjectShape): (object: JsonObject) => Buffer {
  const compile = createCompiler();
  const fields = shape.fields.map((field) => {
    if (field.name !== 'metadata' || field.type.shape !== 'object') return field;
    return { ...field, type: { ...field.type, fields: field.type.fields.filter(({ name }) => name !== 'resourceVersion') } };
  });
  const write = objectWriter(fields.map((field) => compileField(field, remembering(field, compile(field.type)))));
  return (object) => Buffer.from(write(object), 'utf8');
}

/** Many objects are made from one template: the text of a struct that is the very same is not made again. No two objects have the same metadata. */
function remembering({ name, type }: FieldShape, write: ValueWriter): ValueWriter {
  if (type.shape !== 'object' || name === 'metadata') return write;
  const text = rememberRecent((value: JsonObject) => write(value));
  return (value) => (isJsonObject(value) ? text(value) : write(value));
}

function createCompiler(): (type: TypeShape) => ValueWriter {
  const compiled = new Map<TypeShape, ValueWriter>();
  const compile = (type: TypeShape): ValueWriter => {
    const known = compiled.get(type);
    if (known !== undefined) return known;
    switch (type.shape) {
      case 'object': {
        const fields: FieldWriter[] = [];
        const writer = objectWriter(fields);
        compiled.set(type, writer);
        for (const field of type.fields) fields.push(compileField(field, compile(field.type)));
        return writer;
      }
      case 'array':
        return arrayWriter(compile(type.items));
      case 'map':
        return mapWriter(compile(type.values));
      default:
        return scalarWriter(type);
    }
  };
  return compile;
}

function compileField({ name, type, omit, pointer, zero }: FieldShape, write: ValueWriter): FieldWriter {
  const key = `${quote(name)}:`;
  return {
    name,
    key,
    absent: zero === undefined ? '' : key + writeJson(zero),
    omitsEmpty: omit !== 'never' && !pointer && canBeEmpty(type),
    write,
  };
}

/** Go's `omitempty` never leaves out a struct, and quantities, times, int-or-strings and raw values are structs. */
const canBeEmpty = ({ shape }: TypeShape): boolean =>
  shape === 'string' ||
  shape === 'boolean' ||
  shape === 'int32' ||
  shape === 'int64' ||
  shape === 'number' ||
  shape === 'bytes' ||
  shape === 'array' ||
  shape === 'map';

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

const objectWriter =
  (fields: readonly FieldWriter[]): ValueWriter =>
  (value) => {
    if (!isJsonObject(value)) return writeJson(value);
    let text = '{';
    for (const field of fields) {
      const member = value[field.name];
      if (member === undefined || member === null) {
        if (field.absent !== '') text += text.length === 1 ? field.absent : `,${field.absent}`;
      } else if (!field.omitsEmpty || !isEmpty(member)) {
        const written = field.write(member);
        // A zero time is written as absent: `null`, or nothing.
        if (written === ABSENT) {
          if (field.absent !== '') text += text.length === 1 ? field.absent : `,${field.absent}`;
        } else {
          text += text.length === 1 ? field.key + written : `,${field.key}${written}`;
        }
      }
    }
    return `${text}}`;
  };

/** No JSON value is empty text. */
const ABSENT = '';

/** A million empty elements of 3 MB become 30 MB with the fields that each of them shows, in more than a second: it is not worth the wait. */
function assertStorable(text: string): void {
  if (text.length > MAX_OBJECT_BYTES)
    throw new StatusError('RequestEntityTooLarge', `The object takes more than the ${MAX_OBJECT_BYTES} bytes that can be stored`);
}

const arrayWriter =
  (write: ValueWriter): ValueWriter =>
  (value) => {
    if (!isArray(value)) return writeJson(value);
    let text = '[';
    for (const element of value) {
      const written = element === null ? 'null' : write(element);
      text += text.length === 1 ? written || 'null' : `,${written || 'null'}`;
      assertStorable(text);
    }
    return `${text}]`;
  };

const mapWriter =
  (write: ValueWriter): ValueWriter =>
  (value) => {
    if (!isJsonObject(value)) return writeJson(value);
    let text = '{';
    for (const name of sortedNames(Object.keys(value))) {
      const member = value[name];
      if (member === undefined) continue;
      const written = member === null ? 'null' : write(member);
      text += `${text.length === 1 ? '' : ','}${quote(name)}:${written || 'null'}`;
      assertStorable(text);
    }
    return `${text}}`;
  };

const scalarWriter = ({ shape }: ScalarShape): ValueWriter => {
  switch (shape) {
    case 'time':
      return textWriter(normalizeTime);
    case 'micro-time':
      return textWriter(normalizeMicroTime);
    case 'quantity':
      return (value) => quantityText(value) ?? writeJson(value);
    case 'string':
    case 'bytes':
    case 'duration':
      return (value) => (typeof value === 'string' ? quote(value) : writeJson(value));
    default:
      return writeJson;
  }
};

/** Text that cannot be read as what it should be is written as it is: refusing it is the validators' work. */
const textWriter =
  (normalize: (text: string) => string | null | undefined): ValueWriter =>
  (value) => {
    if (typeof value !== 'string') return writeJson(value);
    const normalized = normalize(value);
    return normalized === null ? ABSENT : quote(normalized ?? value);
  };

const quantityText = (value: JsonValue): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  return quote(normalizeQuantity(text) ?? text);
};
