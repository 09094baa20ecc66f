/** Objects in protobuf: whole, or their metadata alone. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { envelopeEnds, sealEnvelope, type TypeMeta } from '../../schema/protobuf/envelope.ts';
import { createListMessage } from '../../schema/protobuf/list-message.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import { watchFrame } from '../../schema/protobuf/watch-frame.ts';
import type { PreparedObject } from '../../watchcache/watch-cache.ts';
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
  readonly message: Pick<MessageCodec, 'encode'>;
  readonly meta: MetaMessages;
  /** What of an object is shown, from its form inside a list. Never throws: a list must not fail for one damaged object. */
  readonly read: (listForm: Buffer) => JsonObject;
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  readonly now: () => number;
}

export function createProtobufForm({ id, type, listType, message, meta, read, head, now }: ProtobufFormOptions): ObjectForm {
  const list = createListMessage();
  const encode = (listForm: Buffer): Buffer => message.encode(read(listForm));
  const seal = (bytes: Buffer): Buffer => sealEnvelope(type, bytes);
  return {
    contentType: PROTOBUF,
    streamType: `${PROTOBUF};stream=watch`,
    derived: {
      id,
      now,
      isBare: true,
      preparesAlone: true,
      prepare: (listForm) => {
        const bytes = encode(listForm);
        return new ProtobufObject(list.element(bytes), bytes.byteLength, seal);
      },
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

/** What an object costs to remember besides its bytes, about. */
const OBJECT_BYTES = 192;

/** One object's message, behind its tag and length as it stands in a list. */
class ProtobufObject implements PreparedObject {
  readonly #element: Buffer;
  readonly #messageBytes: number;
  readonly #seal: (message: Buffer) => Buffer;

  constructor(element: Buffer, messageBytes: number, seal: (message: Buffer) => Buffer) {
    // Of its own: what is remembered must not keep a pool alive.
    this.#element = Buffer.allocUnsafeSlow(element.byteLength);
    element.copy(this.#element);
    this.#messageBytes = messageBytes;
    this.#seal = seal;
  }

  get cost(): number {
    return OBJECT_BYTES + this.#element.byteLength;
  }

  get maxBytes(): number {
    return this.#element.byteLength;
  }

  writeTo(target: Buffer, offset: number): number {
    return offset + this.#element.copy(target, offset);
  }

  validUntil(): number {
    return Infinity;
  }

  alone(): Buffer {
    return this.#seal(this.#element.subarray(this.#element.byteLength - this.#messageBytes));
  }
}
