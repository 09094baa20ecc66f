/**
 * A kind's objects from bytes and to bytes. Made once per kind: making it walks the whole type. What is decoded shares its parts with what was
 * decoded before, and is never to be written into.
 */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonParts } from '../apimachinery/json/json-parts.ts';
import { RecentParts } from '../apimachinery/json/recent-parts.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { compileShape, decodeObject, type DecodedObject } from './decode.ts';
import { compileObjectWriter } from './encode.ts';

export interface ObjectCodec {
  /** A request body. Throws StatusError BadRequest when it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /** Canonical JSON, as it was stored. `similar`: an object that this codec decoded; what is the same in both is shared, not parsed again. */
  parseStored(json: Uint8Array, similar?: JsonObject): JsonObject;
  /**
   * Canonical JSON, without `metadata.resourceVersion`. Throws StatusError RequestEntityTooLarge for what cannot be stored, if that shows
   * early. `stored`: an object that `parseStored` returned; the text of values that both share is copied, not written again.
   */
  encode(object: JsonObject, stored?: JsonObject): Buffer;
}

export function createObjectCodec(shape: ObjectShape): ObjectCodec {
  const form = compileShape(shape);
  const recent = new RecentParts(['metadata']);
  const write = compileObjectWriter(shape);
  /** Where the fields of a decoded object stand in the text that it was decoded from. */
  const partsOf = new WeakMap<JsonObject, JsonParts>();
  const partsIf = (object: JsonObject | undefined) => (object === undefined ? undefined : partsOf.get(object));
  const decode = (bytes: Uint8Array, similar?: JsonObject): DecodedObject => {
    const { parts, ...decoded } = decodeObject(bytes, form, { recent, like: partsIf(similar) });
    partsOf.set(decoded.object, parts);
    return decoded;
  };
  return {
    decodeBody: (bytes) => decode(bytes),
    parseStored: (json, similar) => decode(json, similar).object,
    encode: (object, stored) => write(object, partsIf(stored)),
  };
}
