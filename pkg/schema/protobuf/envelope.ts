/**
 * The envelope of protobuf bodies and objects of watch events, but not of list items: four magic bytes and the message
 * `runtime.Unknown`, which contains the type and the encoded object.
 */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

export interface EnvelopeType {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Envelope extends EnvelopeType {
  /** The message, as a view. */
  readonly raw: Buffer;
  /** The declared content type of `raw`; empty for a protobuf message of the given type. */
  readonly contentType: string;
  /** The declared compression of `raw`; empty for none. */
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

/** The two empty strings at the end of an envelope. */
const ENVELOPE_TAIL = Buffer.from([CONTENT_ENCODING, 0, CONTENT_TYPE, 0]);

/** The bytes before and after a message, which can then be sent in segments. */
export function envelopeFraming(
  { apiVersion, kind }: EnvelopeType,
  messageBytes: number,
): { readonly head: Buffer; readonly tail: Buffer } {
  const out = new MessageWriter();
  out.varint(messageBytes);
  out.byte(RAW);
  const { size } = out;
  writeText(out, KIND, kind);
  writeText(out, API_VERSION, apiVersion);
  out.varint(out.size - size);
  out.byte(TYPE_META);
  out.bytes(MAGIC);
  return { head: out.end(), tail: ENVELOPE_TAIL };
}

/** Returns a new buffer. */
export const writeEnvelope = (type: EnvelopeType, message: Uint8Array): Buffer => createEnvelopeWriter(type)(message);

/** For many messages of one type: encodes the type once, and needs no 4 KB writer for each message. */
export function createEnvelopeWriter(type: EnvelopeType): (message: Uint8Array) => Buffer {
  const { head } = envelopeFraming(type, 0);
  // Without the length, which takes one byte here.
  const start = head.subarray(0, -1);
  return (message) => {
    const length = message.byteLength;
    let messageAt = start.byteLength + 1;
    for (let rest = length; rest >= 0x80; rest >>>= 7) messageAt++;
    const envelope = Buffer.allocUnsafe(messageAt + length + ENVELOPE_TAIL.byteLength);
    envelope.set(start);
    let at = start.byteLength;
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) envelope[at++] = (rest & 0x7f) | 0x80;
    envelope[at] = rest;
    envelope.set(message, messageAt);
    envelope.set(ENVELOPE_TAIL, messageAt + length);
    return envelope;
  };
}

function writeText(out: MessageWriter, tag: number, text: string): void {
  const { size } = out;
  out.text(text);
  out.varint(out.size - size);
  out.byte(tag);
}

/** Throws StatusError BadRequest for an invalid envelope. The caller must check the type before decoding. */
export function parseEnvelope(body: Uint8Array): Envelope {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.byteLength === 0 || bytes.equals(MAGIC)) throw badRequest('invalid protobuf: the body is empty');
  if (!bytes.subarray(0, MAGIC.byteLength).equals(MAGIC)) {
    throw badRequest('invalid protobuf: the body does not start with the bytes 6b 38 73 00');
  }
  const from = new MessageReader(bytes.subarray(MAGIC.byteLength));
  let type: EnvelopeType = { apiVersion: '', kind: '' };
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

function readTypeMeta(from: MessageReader, before: EnvelopeType): EnvelopeType {
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
