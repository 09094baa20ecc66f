/**
 * Encodes objects as canonical JSON for storage: fields in the order of the type, empty fields as Go writes them, map
 * keys sorted by bytes, canonical times and quantities, no `metadata.resourceVersion`. Equal objects have equal bytes.
 *
 * The type is compiled once per kind to a tree of writers: a CronJob of 2.7 KB takes 12 µs (JSON.stringify: 5 µs).
 */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, quote, sortedNames, writeJson } from '../apimachinery/json/write-json.ts';
import { cacheRecent } from '../apimachinery/recent/cache-recent.ts';
import { normalizeQuantity } from '../apimachinery/quantity/quantity.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import { normalizeMicroTime, normalizeTime } from '../apimachinery/time/rfc3339.ts';
import type { FieldShape, ObjectShape, ScalarShape, TypeShape } from '../apis/type-shape.ts';

/** The limit of a stored object. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** Writes a value as JSON text. A value that does not match its type is written as it is. */
type ValueWriter = (value: JsonValue) => string;

export interface ObjectWriterOptions {
  /**
   * Writes empty lists that Go does not omit as `[]`. Default: as absent ones, `null`, because they come out of
   * Kubernetes' store, which is protobuf, like that.
   */
  readonly keepsEmptyLists?: boolean;
}

interface FieldEncoder {
  readonly name: string;
  /** `"schedule":` */
  readonly key: string;
  /** Written for an absent field, including the key; empty if it is omitted. */
  readonly absent: string;
  /** Empty values are written like absent ones. */
  readonly omitsEmpty: boolean;
  readonly write: ValueWriter;
}

/**
 * Compiles the writer of a kind. Omits `metadata.resourceVersion` of the object, but not of nested objects. Throws
 * StatusError RequestEntityTooLarge when a single list or map exceeds the limit; the result may still exceed it.
 */
export function compileObjectWriter(shape: ObjectShape, options: ObjectWriterOptions = {}): (object: JsonObject) => Buffer {
  const compileField = fieldCompiler(options);
  const compile = createCompiler(compileField);
  const fields = shape.fields.map((field) => {
    if (field.name !== 'metadata' || field.type.shape !== 'object') return field;
    return { ...field, type: { ...field.type, fields: field.type.fields.filter(({ name }) => name !== 'resourceVersion') } };
  });
  const write = objectWriter(fields.map((field) => compileField(field, cachingWriter(field, compile(field.type)))));
  return (object) => Buffer.from(write(object), 'utf8');
}

/** Caches the text of structs by identity, since many objects have the same template. Metadata is unique. */
function cachingWriter({ name, type }: FieldShape, write: ValueWriter): ValueWriter {
  if (type.shape !== 'object' || name === 'metadata') return write;
  const text = cacheRecent((value: JsonObject) => write(value));
  return (value) => (isJsonObject(value) ? text(value) : write(value));
}

type FieldCompiler = (field: FieldShape, write: ValueWriter) => FieldEncoder;

function createCompiler(compileField: FieldCompiler): (type: TypeShape) => ValueWriter {
  const compiled = new Map<TypeShape, ValueWriter>();
  const compile = (type: TypeShape): ValueWriter => {
    const known = compiled.get(type);
    if (known !== undefined) return known;
    switch (type.shape) {
      case 'object': {
        const fields: FieldEncoder[] = [];
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

const fieldCompiler =
  ({ keepsEmptyLists = false }: ObjectWriterOptions): FieldCompiler =>
  ({ name, type, omit, pointer, zero }, write) => {
    const key = `${quote(name)}:`;
    return {
      name,
      key,
      absent: zero === undefined ? '' : key + writeJson(zero),
      // Go's `omitempty`.
      omitsEmpty: !pointer && (omit === 'never' ? type.shape === 'array' && !keepsEmptyLists : canBeEmpty(type)),
      write,
    };
  };

/** Go's `omitempty` never omits structs, which quantities, times, int-or-strings and raw values are. */
const EMPTIABLE: ReadonlySet<string> = new Set(['string', 'boolean', 'int32', 'int64', 'number', 'bytes', 'array', 'map']);

export const canBeEmpty = ({ shape }: TypeShape): boolean => EMPTIABLE.has(shape);

export function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

const objectWriter =
  (fields: readonly FieldEncoder[]): ValueWriter =>
  (value) => {
    if (!isJsonObject(value)) return writeJson(value);
    let text = '{';
    for (const field of fields) {
      const member = value[field.name];
      if (member === undefined || member === null || (field.omitsEmpty && isEmpty(member))) {
        if (field.absent !== '') text += text.length === 1 ? field.absent : `,${field.absent}`;
      } else {
        const written = field.write(member);
        // A zero time is written like an absent one: `null`, or omitted.
        if (written === ABSENT) {
          if (field.absent !== '') text += text.length === 1 ? field.absent : `,${field.absent}`;
        } else {
          text += text.length === 1 ? field.key + written : `,${field.key}${written}`;
        }
      }
    }
    return `${text}}`;
  };

/** Empty text is not valid JSON, so it can mark absence. */
const ABSENT = '';

/** Fails early: a million empty elements in 3 MB would become 30 MB with defaults and take over a second. */
function assertStorable(text: string): void {
  if (text.length > MAX_OBJECT_BYTES) throw objectTooLarge();
}

export const objectTooLarge = (): StatusError =>
  new StatusError('RequestEntityTooLarge', `The object is larger than the limit of ${MAX_OBJECT_BYTES} bytes`);

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

/** Invalid text is written as it is; the validators report it. */
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
