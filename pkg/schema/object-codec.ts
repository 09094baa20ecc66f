/** A kind's objects from bytes and to bytes. Made once per kind: making it walks the whole type. */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { compileShape, decodeObject, parseStored, type DecodedObject } from './decode.ts';
import { compileObjectWriter } from './encode.ts';

export interface ObjectCodec {
  /** A request body. Throws StatusError BadRequest when it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /** Canonical JSON, as it was stored. */
  parseStored(json: Uint8Array): JsonObject;
  /** Canonical JSON, without `metadata.resourceVersion`. Throws StatusError RequestEntityTooLarge for what can be stored nowhere, if it sees it early. */
  encode(object: JsonObject): Buffer;
}

export function createObjectCodec(shape: ObjectShape): ObjectCodec {
  const form = compileShape(shape);
  return {
    decodeBody: (bytes) => decodeObject(bytes, form),
    parseStored: (json) => parseStored(json, form),
    encode: compileObjectWriter(shape),
  };
}
