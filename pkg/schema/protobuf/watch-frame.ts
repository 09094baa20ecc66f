/** Frames of a protobuf watch: a big-endian length of four bytes and a `WatchEvent` message without an envelope. */
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

const LENGTH_BYTES = 4;
const TYPE = toTag(1, LENGTH_DELIMITED);
const OBJECT = toTag(2, LENGTH_DELIMITED);
/** Field of RawExtension, which contains the object. */
const RAW = toTag(1, LENGTH_DELIMITED);

/** `envelope`: the object in its envelope. */
export function watchFrame(type: string, envelope: Uint8Array): Buffer {
  const out = new MessageWriter();
  out.bytes(envelope);
  out.varint(envelope.byteLength);
  out.byte(RAW);
  out.varint(out.size);
  out.byte(OBJECT);
  const { size } = out;
  out.text(type);
  out.varint(out.size - size);
  out.byte(TYPE);
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(out.size);
  out.bytes(length);
  return out.end();
}
