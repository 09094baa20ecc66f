/**
 * Blocks of a gzip stream that can be concatenated in any order: raw deflate, byte-aligned, without back-references to
 * earlier blocks.
 */
import { constants, crc32, deflateRaw } from 'node:zlib';
import { combineCrc32, crc32Shift } from './crc32-combine.ts';

export interface Block {
  readonly bytes: Buffer;
  /** Length before compression. */
  readonly length: number;
  readonly crc: number;
  /** `crc32Shift(length)`. */
  readonly shift: number;
}

export interface DeflatedBlock extends Block {
  /** The same block preceded by a comma, for all but the first of a list. Shares memory. */
  readonly afterComma: Block;
}

/** Without name and time, so that equal content gives equal bytes. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final block, which ends the deflate stream. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
const MAX_STORED = 0xffff;
/** 256 KB of similar objects deflate to about 20 KB, so most blocks are one segment. */
const OUTPUT_CHUNK_BYTES = 64 * 1024;

/** Deflates in the thread pool. */
export function deflateBlock(content: Buffer): Promise<DeflatedBlock> {
  return new Promise((resolve, reject) => {
    deflateRaw(content, { level: 1, finishFlush: constants.Z_FULL_FLUSH, chunkSize: OUTPUT_CHUNK_BYTES }, (error, deflated) => {
      if (error === null) {
        // Copied, because zlib returns a view of a whole output segment.
        const sum = { length: content.length, crc: crc32(content), shift: crc32Shift(content.length) };
        resolve(withComma([deflated], deflated.length, sum));
      } else {
        reject(error);
      }
    });
  });
}

/** `a`, `b`, `c` as `a,b,c`. */
export function joinBlocks([first, ...others]: readonly [DeflatedBlock, ...DeflatedBlock[]]): DeflatedBlock {
  const segments = [first.bytes];
  let sum: Sum = first;
  let bytes = first.bytes.length;
  for (const { afterComma } of others) {
    segments.push(afterComma.bytes);
    sum = packed(sum, afterComma);
    bytes += afterComma.bytes.length;
  }
  return withComma(segments, bytes, sum);
}

/** Copies `segments`, which have `byteLength` bytes in total. */
function withComma(segments: readonly Buffer[], byteLength: number, sum: Sum): DeflatedBlock {
  const bytes = Buffer.allocUnsafeSlow(COMMA.bytes.length + byteLength);
  let at = COMMA.bytes.copy(bytes);
  for (const segment of segments) at += segment.copy(bytes, at);
  return { ...sum, bytes: bytes.subarray(COMMA.bytes.length), afterComma: { bytes, ...packed(COMMA, sum) } };
}

/** Short content without compression, to avoid the thread pool. */
export function storedBlock(content: Buffer): Block {
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length; at += MAX_STORED) {
    const part = content.subarray(at, at + MAX_STORED);
    const header = Buffer.alloc(5);
    header.writeUInt16LE(part.length, 1);
    header.writeUInt16LE(part.length ^ 0xffff, 3);
    parts.push(header, part);
  }
  return { bytes: Buffer.concat(parts), length: content.length, crc: crc32(content), shift: crc32Shift(content.length) };
}

const COMMA = storedBlock(Buffer.from(','));

type Sum = Omit<Block, 'bytes'>;

const packed = (before: Sum, after: Sum): Sum => ({
  length: before.length + after.length,
  crc: combineCrc32(before.crc, after.crc, after.shift),
  shift: crc32Shift(before.length + after.length),
});

/** Checksum and length for the trailer. */
export class GzipTotals {
  #crc = 0;
  #length = 0;

  add({ crc, shift, length }: Sum): void {
    this.#crc = combineCrc32(this.#crc, crc, shift);
    this.#length += length;
  }

  trailer(): Buffer {
    const trailer = Buffer.alloc(LAST_BLOCK.length + 8);
    LAST_BLOCK.copy(trailer);
    trailer.writeUInt32LE(this.#crc, LAST_BLOCK.length);
    trailer.writeUInt32LE(this.#length % 2 ** 32, LAST_BLOCK.length + 4);
    return trailer;
  }
}
