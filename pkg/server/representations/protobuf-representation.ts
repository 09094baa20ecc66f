/** Protobuf representations: whole objects or their metadata. */
import type { ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { createEnvelopeWriter, envelopeFraming, type EnvelopeType } from '../../schema/protobuf/envelope.ts';
import { createListMessage, type ListFields } from '../../schema/protobuf/list-message.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import { watchFrame } from '../../schema/protobuf/watch-frame.ts';
import { PROTOBUF } from '../negotiation/output.ts';
import { listMetadata } from './list-meta.ts';
import type { MetaMessages } from './meta-messages.ts';
import type { ResourceRepresentation } from './resource-representation.ts';

export interface ProtobufRepresentationOptions {
  readonly id: string;
  /** Type of the shown objects. */
  readonly type: EnvelopeType;
  readonly listType: EnvelopeType;
  /** Default: as in every list. */
  readonly listFields?: ListFields;
  readonly message: Pick<MessageCodec, 'encode'>;
  readonly meta: MetaMessages;
  /** Decodes the shown object from an item of a list. Never throws: one damaged object must not fail the list. */
  readonly read: (itemBytes: Buffer) => JsonObject;
  /** Encoding of the stored objects. */
  readonly encoding: ObjectEncoding;
  readonly now: () => number;
}

export function createProtobufRepresentation({
  id,
  type,
  listType,
  listFields,
  message,
  meta,
  read,
  encoding,
  now,
}: ProtobufRepresentationOptions): ResourceRepresentation {
  const list = createListMessage(listFields);
  const encode = (itemBytes: Buffer): Buffer => message.encode(read(itemBytes));
  const seal = createEnvelopeWriter(type);
  return {
    contentType: PROTOBUF,
    streamType: `${PROTOBUF};stream=watch`,
    items: {
      id,
      now,
      isContextFree: true,
      encodeItem: (itemBytes) => list.element(encode(itemBytes)),
      singleObject: (item) => seal(list.message(item)),
      eventObject: (itemBytes) => ({ bytes: seal(encode(itemBytes)), validUntil: Infinity }),
      stream: { event: watchFrame, error: (error) => meta.toStatus(error.toStatus()) },
    },
    toObject: (json) => seal(encode(encoding.itemOfSingleObject(json))),
    listHead: (found) => {
      const metadata = list.head(listMetadata(found));
      return (itemBytes) => Buffer.concat([envelopeFraming(listType, metadata.byteLength + itemBytes).head, metadata]);
    },
    // Every message has the same tail.
    listTail: envelopeFraming(listType, 0).tail,
    eventWriter: (writer) => writer,
  };
}
