/**
 * What a protobuf body is wrapped in: four bytes that tell it from all other protobuf, and the message `runtime.Unknown`, which names the type
 * of the message inside. The object in an event of a watch is wrapped in the same way; the objects in a list are not.
 */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Envelope extends TypeMeta {
  /** The message. A view. */
  readonly raw: Buffer;
  /** What `raw` is said to be; empty for a message of the type that is named. */
  readonly contentType: string;
  /** How `raw` is said to be compressed; empty: it is not. */
  readonly contentEncoding: string;
}

/** `k8s` and a zero byte. */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const TYPE_META = toTag(1, LENGTH_DELIMITED);
const RAW = toTag(2, LENGTH_DELIMITED);
const CONTENT_ENCODING = toTag(3, LENGTH_DELIMITED);
const CONTENT_TYPE = toTag(4, LENGTH_DELIMITED);
const API_VERSION = toTag(1, LENGTH_DELIMITED);
const KIND = toTag(2, LENGTH_DELIMITED);

const ENVELOPE_FIELDS = ['typeMeta', 'raw', 'contentEncoding', 'contentType'];
const TYPE_META_FIELDS = ['apiVersion', 'kind'];

/** The two empty strings that end an envelope. */
const TAIL = Buffer.from([CONTENT_ENCODING, 0, CONTENT_TYPE, 0]);

/** What stands before and behind a message of so many bytes. */
export interface EnvelopeEnds {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** A message can be sent in pieces between them, once its length is known. */
export function envelopeEnds({ apiVersion, kind }: TypeMeta, messageBytes: number): EnvelopeEnds {
  const out = new MessageWriter();
  out.varint(messageBytes);
  out.byte(RAW);
  const { size } = out;
  writeText(out, KIND, kind);
  writeText(out, API_VERSION, apiVersion);
  out.varint(out.size - size);
  out.byte(TYPE_META);
  out.bytes(MAGIC);
  return { head: out.finish(), tail: TAIL };
}

/** The whole, in a new buffer. */
export const sealEnvelope = (type: TypeMeta, message: Uint8Array): Buffer => createSeal(type)(message);

/** The same for many messages of one type: what names it is written once. `envelopeEnds` allocates a writer of 4 KB each time. */
export function createSeal(type: TypeMeta): (message: Uint8Array) => Buffer {
  const { head } = envelopeEnds(type, 0);
  // Without the length, which is one byte here.
  const start = head.subarray(0, -1);
  return (message) => {
    const length = message.byteLength;
    let messageAt = start.byteLength + 1;
    for (let rest = length; rest >= 0x80; rest >>>= 7) messageAt++;
    const sealed = Buffer.allocUnsafe(messageAt + length + TAIL.byteLength);
    sealed.set(start);
    let at = start.byteLength;
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) sealed[at++] = (rest & 0x7f) | 0x80;
    sealed[at] = rest;
    sealed.set(message, messageAt);
    sealed.set(TAIL, messageAt + length);
    return sealed;
  };
}

function writeText(out: MessageWriter, tag: number, text: string): void {
  const { size } = out;
  out.text(text);
  out.varint(out.size - size);
  out.byte(tag);
}

/** Throws StatusError BadRequest for what is no envelope. Whether its type is the right one is the caller's to say, and before it is decoded. */
export function openEnvelope(body: Uint8Array): Envelope {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.byteLength === 0 || bytes.equals(MAGIC)) throw badRequest('invalid protobuf: the body is empty');
  if (!bytes.subarray(0, MAGIC.byteLength).equals(MAGIC)) {
    throw badRequest('invalid protobuf: the body does not start with the bytes 6b 38 73 00');
  }
  const from = new MessageReader(bytes.subarray(MAGIC.byteLength));
  let type: TypeMeta = { apiVersion: '', kind: '' };
  let raw: Buffer = Buffer.alloc(0);
  let contentEncoding = '';
  let contentType = '';
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === TYPE_META) type = readTypeMeta(from, type);
    else if (tag === RAW) raw = from.bytes();
    else if (tag === CONTENT_ENCODING) contentEncoding = from.text();
    else if (tag === CONTENT_TYPE) contentType = from.text();
    else from.skipUnknown(tag, ENVELOPE_FIELDS);
  }
  return { ...type, raw, contentEncoding, contentType };
}

function readTypeMeta(from: MessageReader, before: TypeMeta): TypeMeta {
  let { apiVersion, kind } = before;
  const outer = from.open();
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === API_VERSION) apiVersion = from.text();
    else if (tag === KIND) kind = from.text();
    else from.skipUnknown(tag, TYPE_META_FIELDS);
  }
  from.close(outer);
  return { apiVersion, kind };
}
