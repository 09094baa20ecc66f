/**
 * A watch in protobuf is a series of frames: four bytes with the length of what follows, most significant first, and a bare message
 * `WatchEvent`, whose object has an envelope of its own.
 */
import { MessageWriter } from './message-writer.ts';
import { LENGTH_DELIMITED, toTag } from './wire-type.ts';

const LENGTH_BYTES = 4;
const TYPE = toTag(1, LENGTH_DELIMITED);
const OBJECT = toTag(2, LENGTH_DELIMITED);
/** Of RawExtension, which holds the object. */
const RAW = toTag(1, LENGTH_DELIMITED);

/** `sealed`: the object in its envelope. */
export function watchFrame(type: string, sealed: Uint8Array): Buffer {
  const out = new MessageWriter();
  out.bytes(sealed);
  out.varint(sealed.byteLength);
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
  return out.finish();
}
