/**
 * Decodes and encodes the objects of a kind. Created once per kind, because it traverses the whole type. Decoded
 * objects share parts with earlier ones and must not be modified.
 */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonParts } from '../apimachinery/json/json-parts.ts';
import { RecentParts } from '../apimachinery/json/recent-parts.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { compileShape, decodeObject, type DecodedObject } from './decode.ts';
import { compileObjectWriter } from './encode.ts';

export interface ObjectCodec {
  /** Decodes a request body. Throws StatusError BadRequest if it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /**
   * Parses canonical JSON as stored. `similar`: an object that this codec decoded; equal parts are shared instead of
   * parsed again.
   */
  parseStored(json: Uint8Array, similar?: JsonObject): JsonObject;
  /**
   * Encodes canonical JSON, without `metadata.resourceVersion`. Throws StatusError RequestEntityTooLarge if it becomes
   * clear early that the object is too large. `stored`: an object from `parseStored`; the text of shared values is
   * copied instead of written again.
   */
  encode(object: JsonObject, stored?: JsonObject): Buffer;
}

export function createObjectCodec(shape: ObjectShape): ObjectCodec {
  const form = compileShape(shape);
  const recent = new RecentParts(['metadata']);
  const write = compileObjectWriter(shape);
  /** The positions of the fields of a decoded object in its text. */
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
