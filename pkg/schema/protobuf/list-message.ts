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

/** The numbers of the two fields. */
export interface ListFields {
  readonly metadata: number;
  readonly items: number;
}

/** Of every list, whatever its kind, but one. */
const LIST_FIELDS: ListFields = { metadata: 1, items: 2 };
/** Of the PartialObjectMetadataList of `meta.k8s.io/v1beta1`. */
export const SWAPPED_FIELDS: ListFields = { metadata: 2, items: 1 };

export function createListMessage(fields = LIST_FIELDS): ListMessage {
  const items = toTag(fields.items, LENGTH_DELIMITED);
  const metadataTag = toTag(fields.metadata, LENGTH_DELIMITED);
  const codec = createMessageCodec(PartialObjectMetadataListShape);
  const writer = new MessageWriter();
  return {
    head: (metadata) => {
      const message = codec.encode({ metadata });
      // It stands alone in the message, so its tag is the first byte.
      if (message.byteLength > 0) message.writeUInt8(metadataTag, 0);
      return message;
    },
    element: (message) => {
      writer.reset();
      writer.bytes(message);
      writer.varint(message.byteLength);
      writer.byte(items);
      return writer.finish();
    },
    message: (element) => {
      let at = 1;
      while ((element[at] ?? 0) >= 0x80) at++;
      return element.subarray(at + 1);
    },
  };
}
