/** Objects in protobuf: whole, or their metadata alone. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { createSeal, envelopeEnds, type TypeMeta } from '../../schema/protobuf/envelope.ts';
import { createListMessage, type ListFields } from '../../schema/protobuf/list-message.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import { watchFrame } from '../../schema/protobuf/watch-frame.ts';
import { PROTOBUF } from '../negotiation/output.ts';
import { toListForm } from './list-form.ts';
import { listMetadata } from './list-meta.ts';
import type { MetaMessages } from './meta-messages.ts';
import type { ObjectForm } from './object-form.ts';

export interface ProtobufFormOptions {
  readonly id: string;
  /** Of the objects that are shown. */
  readonly type: TypeMeta;
  readonly listType: TypeMeta;
  /** Absent: as all lists are. */
  readonly listFields?: ListFields;
  readonly message: Pick<MessageCodec, 'encode'>;
  readonly meta: MetaMessages;
  /** What of an object is shown, from its form inside a list. Never throws: a list must not fail for one damaged object. */
  readonly read: (listForm: Buffer) => JsonObject;
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  readonly now: () => number;
}

export function createProtobufForm({ id, type, listType, listFields, message, meta, read, head, now }: ProtobufFormOptions): ObjectForm {
  const list = createListMessage(listFields);
  const encode = (listForm: Buffer): Buffer => message.encode(read(listForm));
  const seal = createSeal(type);
  return {
    contentType: PROTOBUF,
    streamType: `${PROTOBUF};stream=watch`,
    derived: {
      id,
      now,
      isBare: true,
      element: (listForm) => list.element(encode(listForm)),
      alone: (element) => seal(list.message(element)),
      eventObject: (listForm) => ({ bytes: seal(encode(listForm)), validUntil: Infinity }),
      stream: {
        event: watchFrame,
        error: (error) => meta.toStatus(error.toStatus()),
      },
    },
    toObject: (json) => seal(encode(toListForm(json, head))),
    listHead: (found) => {
      const metadata = list.head(listMetadata(found));
      return (itemBytes) => Buffer.concat([envelopeEnds(listType, metadata.byteLength + itemBytes).head, metadata]);
    },
    // The same behind every message.
    listTail: envelopeEnds(listType, 0).tail,
    eventSink: (sink) => sink,
  };
}
