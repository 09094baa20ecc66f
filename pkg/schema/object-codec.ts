/**
 * Decodes and encodes the objects of a kind. Created once per kind, because the first use traverses the whole type.
 * Decoded objects share structs with earlier ones and must not be modified.
 */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { lazy } from '../apimachinery/recent/lazy.ts';
import { RecentStructs } from '../apimachinery/json/recent-structs.ts';
import { compileShape, decodeObject, type DecodedObject } from './decode.ts';
import { compileObjectWriter, type ObjectWriterOptions } from './encode.ts';

export interface ObjectCodec {
  /** Decodes a request body. Throws StatusError BadRequest if it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /** Parses canonical JSON as stored. */
  parseStored(json: Uint8Array): JsonObject;
  /** Encodes canonical JSON. Throws StatusError RequestEntityTooLarge if the object is clearly too large. */
  encode(object: JsonObject): Buffer;
}

export function createObjectCodec(shape: ObjectShape, options: ObjectWriterOptions = {}): ObjectCodec {
  const form = lazy(() => compileShape(shape));
  const write = lazy(() => compileObjectWriter(shape, options));
  const recent = new RecentStructs(['metadata']);
  return {
    decodeBody: (bytes) => decodeObject(bytes, form(), recent),
    parseStored: (json) => decodeObject(json, form(), recent).object,
    encode: (object) => write()(object),
  };
}
