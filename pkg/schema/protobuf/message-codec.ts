/**
 * A type's objects from protobuf messages and to them. What is written are the bytes that Go's generated code writes; what is read is the
 * object that the JSON of the same Go value decodes to. Kind and apiVersion are not in a message: they travel in its envelope (`envelope.ts`).
 *
 * Made once per type: making it walks the whole type. It knows nothing of a kind but its shape, so that a kind's facts are all it takes.
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { compileMessage } from './compile-message.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';

export interface MessageCodec {
  /** `object` has the types that its shape says. The same object always becomes the same bytes, in a buffer of their own. */
  encode(object: JsonObject): Buffer;
  /**
   * Unknown fields are passed over, the last of two values counts. Throws StatusError BadRequest for what is no message of the type: it is
   * cut off, a field has another type, or messages lie deeper than 100 levels; RequestEntityTooLarge for a list that could not be stored.
   */
  decode(message: Uint8Array): JsonObject;
}

/** Throws for a shape that has no message, such as a Table's. */
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
