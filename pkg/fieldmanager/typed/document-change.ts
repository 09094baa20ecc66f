import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { toDocument } from './document.ts';
import { isGranular } from './granularity.ts';

/** An object before and after a write, as documents. */
export interface DocumentChange {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * The documents of two decoded objects, without fields and fields of structs that are identical on both sides.
 * Converting unchanged parts took a twentieth of a replace.
 */
export function toDocumentChange(shape: ObjectShape, before: JsonObject, after: JsonObject): DocumentChange {
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
  const unshared: Record<string, JsonValue | undefined> = {};
  for (const name in struct) if (struct[name] !== other[name]) setMember(unshared, name, struct[name]);
  return unshared;
}
