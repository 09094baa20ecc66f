/**
 * Encodes a list in segments: the metadata, then each item after its tag and length. The envelope contains the sum of
 * the lengths, so only that must be known before sending (`envelopeFraming`).
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { PartialObjectMetadataListShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createMessageCodec } from './message-codec.ts';
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

export interface ListMessage {
  /** The first segment, with the metadata of the list. */
  head(metadata: JsonObject): Buffer;
  /** An item: tag, length and message. A new buffer. */
  element(message: Uint8Array): Buffer;
  /** The message in an item. A view. */
  message(element: Buffer): Buffer;
}

/** The field numbers. */
export interface ListFields {
  readonly metadata: number;
  readonly items: number;
}

/** The field numbers of all lists except the one below. */
const LIST_FIELDS: ListFields = { metadata: 1, items: 2 };
/** PartialObjectMetadataList of `meta.k8s.io/v1beta1`. */
export const V1BETA1_METADATA_LIST_FIELDS: ListFields = { metadata: 2, items: 1 };

export function createListMessage(fields = LIST_FIELDS): ListMessage {
  const items = toTag(fields.items, LENGTH_DELIMITED);
  const metadataTag = toTag(fields.metadata, LENGTH_DELIMITED);
  const codec = createMessageCodec(PartialObjectMetadataListShape);
  const writer = new MessageWriter();
  return {
    head: (metadata) => {
      const message = codec.encode({ metadata });
      // The metadata is the only field here, so its tag is the first byte.
      if (message.byteLength > 0) message.writeUInt8(metadataTag, 0);
      return message;
    },
    element: (message) => {
      writer.reset();
      writer.bytes(message);
      writer.varint(message.byteLength);
      writer.byte(items);
      return writer.end();
    },
    message: (element) => {
      let at = 1;
      while ((element[at] ?? 0) >= 0x80) at++;
      return element.subarray(at + 1);
    },
  };
}
