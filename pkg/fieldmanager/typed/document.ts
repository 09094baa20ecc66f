import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { rememberRecent } from '../../apimachinery/recent/remember-recent.ts';
import { isContainer } from './granularity.ts';
import { hasMembers } from './members.ts';

/**
 * The object as a client reads it: what is written for absent fields is there (`"resources": {}`, `"status": {}`), what is left out when
 * empty is not, neither is `metadata.resourceVersion`, and raw values are what they were. Patches are made against documents, and ownership
 * is told from them.
 *
 * `object` is as decoded: known fields only, times and quantities in canonical form. Whatever needs no change is shared with it, to the
 * object itself, so that two documents of one past are equal by identity in most of their parts.
 */
export const toDocument = (shape: ObjectShape, object: JsonObject): JsonObject => structDocument(shape, withoutResourceVersion(object));

/** The same of many objects of one shape: structs in them that are met again, other than metadata, are not walked again. */
export function createDocumentOf(shape: ObjectShape): (object: JsonObject) => JsonObject {
  const recent = new Map<string, (struct: JsonObject) => JsonObject>();
  for (const { name, type } of shape.fields) {
    if (type.shape === 'object' && name !== 'metadata')
      recent.set(
        name,
        rememberRecent((struct) => structDocument(type, struct)),
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

/** An object, and the document that was made of it. */
export interface KnownDocument {
  readonly object: JsonObject;
  readonly document: JsonObject;
}

/** The same of a value inside an object. */
export function valueDocument(type: TypeShape, value: JsonValue): JsonValue {
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

type KnownStructs = ReadonlyMap<string, (struct: JsonObject) => JsonObject>;

function structDocument(shape: ObjectShape, object: JsonObject, known?: KnownStructs): JsonObject {
  let document: Record<string, JsonValue | undefined> | undefined;
  for (const field of shape.fields) {
    const value = object[field.name];
    const documentOf = known?.get(field.name);
    const shown = documentOf !== undefined && isJsonObject(value) ? documentOf(value) : fieldDocument(field, value);
    if (shown === value) continue;
    document ??= { ...object };
    if (shown === undefined) Reflect.deleteProperty(document, field.name);
    else document[field.name] = shown;
  }
  return document ?? object;
}

function fieldDocument(field: FieldShape, value: JsonValue | undefined): JsonValue | undefined {
  const shown = shownValue(field, value);
  return shown === value && shown !== undefined ? valueDocument(field.type, shown) : shown;
}

/** What stands in the document for the field, as far as its own value says; `undefined`: nothing. */
export function shownValue({ type, omit, pointer, zero }: FieldShape, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return zero;
  return omit !== 'never' && !pointer && isEmpty(type, value) ? undefined : value;
}

/** Empty as Go's `omitempty` has it: structs never are, nor are the scalars that Go holds in structs, such as quantities and times. */
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
    const shown = valueDocument(items, value);
    if (shown === value) continue;
    document ??= list.slice();
    document[index] = shown;
  }
  return document ?? list;
}

function mapDocument({ values }: MapShape, map: JsonObject): JsonObject {
  let document: Record<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    const shown = valueDocument(values, value);
    if (shown === value) continue;
    document ??= { ...map };
    setMember(document, key, shown);
  }
  return document ?? map;
}
