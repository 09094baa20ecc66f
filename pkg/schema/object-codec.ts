/**
 * A kind's objects from bytes and to bytes. Made once per kind: making it walks the whole type. What is decoded shares its parts with what was
 * decoded before, and is never to be written into.
 */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonParts } from '../apimachinery/json/json-parts.ts';
import { RecentParts } from '../apimachinery/json/recent-parts.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { compileShape, decodeObject, parseStored, type DecodedObject } from './decode.ts';
import { compileObjectWriter } from './encode.ts';

export interface ObjectCodec {
  /** A request body. Throws StatusError BadRequest when it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /** Canonical JSON, as it was stored. */
  parseStored(json: Uint8Array): JsonObject;
  /** The same with its parts. What stands word for word in `like`, parts of an object of this shape, is taken from there. */
  parseStoredParts(json: Uint8Array, like?: JsonParts): DecodedObject;
  /**
   * Canonical JSON, without `metadata.resourceVersion`. Throws StatusError RequestEntityTooLarge for what can be stored nowhere, if it sees it
   * early. `stored`: parts of canonical JSON; a field that has the very value of such a part is written as it stands there.
   */
  encode(object: JsonObject, stored?: JsonParts): Buffer;
}

export function createObjectCodec(shape: ObjectShape): ObjectCodec {
  const form = compileShape(shape);
  const recent = new RecentParts(['metadata']);
  const known = { recent };
  return {
    decodeBody: (bytes) => decodeObject(bytes, form, known),
    parseStored: (json) => parseStored(json, form, known).object,
    parseStoredParts: (json, like) => parseStored(json, form, { like, recent }),
    encode: compileObjectWriter(shape),
  };
}
