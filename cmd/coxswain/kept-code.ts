/**
 * The form in which V8's code cache of a program is kept. V8 itself knows a program by its length, and takes damaged bytes, with which the process then dies: what is
 * kept says of which program it is, and by a checksum that it is whole.
 *
 *   0..3    "CXKC"
 *   4..7    CRC-32 of the program's source
 *   8..11   CRC-32 of the code
 *   12..15  length of the code
 *   16..    the code
 *
 * Numbers are big-endian.
 */
import { crc32 } from 'node:zlib';

const MAGIC = 'CXKC';
const HEADER_BYTES = 16;

export function encodeKeptCode(source: Buffer, code: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt32BE(crc32(source), 4);
  header.writeUInt32BE(crc32(code), 8);
  header.writeUInt32BE(code.byteLength, 12);
  return Buffer.concat([header, code]);
}

/** Undefined when it is of another program, or not as it was written. */
export function decodeKeptCode(source: Buffer, kept: Buffer): Buffer | undefined {
  if (kept.byteLength < HEADER_BYTES || kept.toString('latin1', 0, 4) !== MAGIC) return undefined;
  const code = kept.subarray(HEADER_BYTES);
  if (kept.readUInt32BE(12) !== code.byteLength || kept.readUInt32BE(4) !== crc32(source)) return undefined;
  return kept.readUInt32BE(8) === crc32(code) ? code : undefined;
}
