/**
 * Encodes objects of a type as protobuf messages and decodes them. Encoded bytes equal those of Go's generated code;
 * decoded objects equal those from JSON. Kind and apiVersion are in the envelope (`envelope.ts`).
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { lazy } from '../../apimachinery/recent/lazy.ts';
import { checkHasMessage, compileMessage } from './compile-message.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';

export interface MessageCodec {
  /** `object` must match its shape. Equal objects give equal bytes. A new buffer. */
  encode(object: JsonObject): Buffer;
  /**
   * Skips unknown fields; the last of repeated values counts. Throws StatusError BadRequest for an invalid message
   * (truncated, wrong wire type, over 100 levels) and RequestEntityTooLarge for too large lists.
   */
  decode(message: Uint8Array): JsonObject;
}

/** Compiled on first use: most servers never meet most kinds in protobuf. Throws for a shape without a message. */
export function createMessageCodec(shape: ObjectShape): MessageCodec {
  checkHasMessage(shape);
  const compiled = lazy(() => compileMessage(shape));
  const writer = new MessageWriter();
  return {
    encode: (object) => {
      writer.reset();
      compiled().writeFields(writer, object);
      return writer.end();
    },
    decode: (bytes) => compiled().readFields(new MessageReader(bytes)),
  };
}
