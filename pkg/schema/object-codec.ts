/**
 * A kind's objects from bytes and to bytes. Made once per kind: making it walks the whole type. Decoded objects share structs with objects that
 * were decoded before, and are never to be changed.
 */
import type { ObjectShape } from '../apis/type-shape.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { RecentStructs } from '../apimachinery/json/recent-structs.ts';
import { compileShape, decodeObject, type DecodedObject } from './decode.ts';
import { compileObjectWriter } from './encode.ts';

export interface ObjectCodec {
  /** A request body. Throws StatusError BadRequest when it is not a JSON object. */
  decodeBody(bytes: Uint8Array): DecodedObject;
  /** Canonical JSON, as it was stored. */
  parseStored(json: Uint8Array): JsonObject;
  /**
   * Canonical JSON, without `metadata.resourceVersion`. Throws StatusError RequestEntityTooLarge for what cannot be stored, if that shows
   * early.
   */
  encode(object: JsonObject): Buffer;
}

export function createObjectCodec(shape: ObjectShape): ObjectCodec {
  const form = compileShape(shape);
  const recent = new RecentStructs(['metadata']);
  return {
    decodeBody: (bytes) => decodeObject(bytes, form, recent),
    parseStored: (json) => decodeObject(json, form, recent).object,
    encode: compileObjectWriter(shape),
  };
}
