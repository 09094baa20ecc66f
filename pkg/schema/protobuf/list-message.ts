/**
 * A list in pieces: its message is its metadata followed by its objects' messages, each behind a tag and its length. Nothing needs to be in one
 * piece, but the sum of the lengths must be known before the first byte is sent, since the envelope says it (`envelopeEnds`).
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { PartialObjectMetadataListShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createMessageCodec } from './message-codec.ts';
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

export interface ListMessage {
  /** The first piece. `metadata`: of the list. */
  head(metadata: JsonObject): Buffer;
  /** An object's message as it stands in a list. A new buffer. */
  element(message: Uint8Array): Buffer;
  /** The message in what `element` gave. A view. */
  message(element: Buffer): Buffer;
}

/** In every list, whatever its kind, `metadata` has the number 1 and `items` the number 2. */
const ITEMS = toTag(2, LENGTH_DELIMITED);

export function createListMessage(): ListMessage {
  const codec = createMessageCodec(PartialObjectMetadataListShape);
  const writer = new MessageWriter();
  return {
    head: (metadata) => codec.encode({ metadata }),
    element: (message) => {
      writer.reset();
      writer.bytes(message);
      writer.varint(message.byteLength);
      writer.byte(ITEMS);
      return writer.finish();
    },
    message: (element) => {
      let at = 1;
      while ((element[at] ?? 0) >= 0x80) at++;
      return element.subarray(at + 1);
    },
  };
}
