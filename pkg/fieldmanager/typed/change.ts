import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { toDocument } from './document.ts';
import { isGranular } from './granularity.ts';

/** Two states of an object, as documents. */
export interface Change {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * The documents of two decoded objects, as far as the objects may differ: fields of them, and of the structs in them, that have the very same value on
 * both sides are on neither. Most updates leave most of an object as it is: making documents of all of it was a twentieth of a replace.
 */
export function toChange(shape: ObjectShape, before: JsonObject, after: JsonObject): Change {
  const left: Record<string, JsonValue | undefined> = {};
  const right: Record<string, JsonValue | undefined> = {};
  for (const { name, type, atomic } of shape.fields) {
    const [a, b] = [before[name], after[name]];
    if (a === b) continue;
    const isStruct = type.shape === 'object' && isGranular(type, atomic) && isJsonObject(a) && isJsonObject(b);
    left[name] = isStruct ? withoutShared(a, b) : a;
    right[name] = isStruct ? withoutShared(b, a) : b;
  }
  return { before: toDocument(shape, left), after: toDocument(shape, right) };
}

function withoutShared(struct: JsonObject, other: JsonObject): JsonObject {
  const rest: Record<string, JsonValue | undefined> = {};
  for (const name in struct) if (struct[name] !== other[name]) setMember(rest, name, struct[name]);
  return rest;
}
