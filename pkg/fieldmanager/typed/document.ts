import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { cacheRecent } from '../../apimachinery/recent/cache-recent.ts';
import { isContainer } from './granularity.ts';
import { hasMembers } from './members.ts';

/**
 * The object as a client reads it. Absent fields that are always written are present (`"resources": {}`, `"status":
 * {}`); empty fields with `omitempty` and `metadata.resourceVersion` are absent; raw values are unchanged. Patches and
 * ownership are computed on documents.
 *
 * `object` must be decoded: known fields only, times and quantities in canonical form. Unchanged values are shared, up
 * to the object itself, so documents of successive versions are identical in most parts.
 */
export const toDocument = (shape: ObjectShape, object: JsonObject): JsonObject => structDocument(shape, withoutResourceVersion(object));

/** Converts many objects of one shape. Top-level structs except metadata are cached by identity. */
export function createDocumentConverter(shape: ObjectShape): (object: JsonObject) => JsonObject {
  const recent = new Map<string, (struct: JsonObject) => JsonObject>();
  for (const { name, type } of shape.fields) {
    if (type.shape === 'object' && name !== 'metadata')
      recent.set(
        name,
        cacheRecent((struct) => structDocument(type, struct)),
      );
  }
  return (object) => structDocument(shape, withoutResourceVersion(object), recent);
}

function withoutResourceVersion(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['resourceVersion'] === undefined) return object;
  const { resourceVersion: _, ...others } = metadata;
  return { ...object, metadata: others };
}

/** An object and its document. */
export interface ObjectDocument {
  readonly object: JsonObject;
  readonly document: JsonObject;
}

/** The document form of a value inside an object. */
export function toDocumentValue(type: TypeShape, value: JsonValue): JsonValue {
  switch (type.shape) {
    case 'object':
      return isJsonObject(value) ? structDocument(type, value) : value;
    case 'array':
      return isArray(value) && isContainer(type.items) ? listDocument(type.items, value) : value;
    case 'map':
      return isJsonObject(value) && isContainer(type.values) ? mapDocument(type, value) : value;
    default:
      return value;
  }
}

type StructConverters = ReadonlyMap<string, (struct: JsonObject) => JsonObject>;

function structDocument(shape: ObjectShape, object: JsonObject, converters?: StructConverters): JsonObject {
  let document: Record<string, JsonValue | undefined> | undefined;
  for (const field of shape.fields) {
    const value = object[field.name];
    const documentOf = converters?.get(field.name);
    const converted = documentOf !== undefined && isJsonObject(value) ? documentOf(value) : fieldDocument(field, value);
    if (converted === value) continue;
    document ??= { ...object };
    if (converted === undefined) Reflect.deleteProperty(document, field.name);
    else document[field.name] = converted;
  }
  return document ?? object;
}

function fieldDocument(field: FieldShape, value: JsonValue | undefined): JsonValue | undefined {
  const converted = fieldDocumentValue(field, value);
  return converted === value && converted !== undefined ? toDocumentValue(field.type, converted) : converted;
}

/** The value of the field in the document, not converted recursively; `undefined` if it is omitted. */
export function fieldDocumentValue({ type, omit, pointer, zero }: FieldShape, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return zero;
  return omit !== 'never' && !pointer && isEmpty(type, value) ? undefined : value;
}

/** As for Go's `omitempty`. Structs are never empty, nor are quantities and times, which are structs in Go. */
function isEmpty({ shape }: TypeShape, value: JsonValue): boolean {
  switch (shape) {
    case 'string':
    case 'bytes':
      return value === '';
    case 'boolean':
      return value === false;
    case 'int32':
    case 'int64':
    case 'number':
      return value === 0;
    case 'array':
      return isArray(value) && value.length === 0;
    case 'map':
      return isJsonObject(value) && !hasMembers(value);
    default:
      return false;
  }
}

function listDocument(items: TypeShape, list: readonly JsonValue[]): readonly JsonValue[] {
  let document: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const value = list[index] ?? null;
    const converted = toDocumentValue(items, value);
    if (converted === value) continue;
    document ??= list.slice();
    document[index] = converted;
  }
  return document ?? list;
}

function mapDocument({ values }: MapShape, map: JsonObject): JsonObject {
  let document: Record<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    const converted = toDocumentValue(values, value);
    if (converted === value) continue;
    document ??= { ...map };
    setMember(document, key, converted);
  }
  return document ?? map;
}
