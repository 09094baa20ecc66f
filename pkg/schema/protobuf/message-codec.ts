/**
 * Encodes objects of a type as protobuf messages and decodes them. Encoded bytes equal those of Go's generated code;
 * decoded objects equal those from the JSON of the same Go value. Kind and apiVersion are not part of the message but
 * of its envelope (`envelope.ts`).
 *
 * Created once per type, because it traverses the whole type. Depends only on the shape.
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { compileMessage } from './compile-message.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';

export interface MessageCodec {
  /** `object` must match its shape. Equal objects give equal bytes. A new buffer. */
  encode(object: JsonObject): Buffer;
  /**
   * Skips unknown fields; of repeated values the last one counts. Throws StatusError BadRequest for an invalid message
   * (truncated, a wrong wire type, nested deeper than 100 levels) and RequestEntityTooLarge for a list too large to
   * store.
   */
  decode(message: Uint8Array): JsonObject;
}

/** Throws for a shape without a message, such as that of a Table. */
export function createMessageCodec(shape: ObjectShape): MessageCodec {
  const message = compileMessage(shape);
  const writer = new MessageWriter();
  return {
    encode: (object) => {
      writer.reset();
      message.writeFields(writer, object);
      return writer.finish();
    },
    decode: (bytes) => message.readFields(new MessageReader(bytes)),
  };
}
