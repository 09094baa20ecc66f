/** Finds invalid UTF-8, for error messages. */
import { isUtf8 } from 'node:buffer';

/** The offset of the first invalid character, by binary search: shorter prefixes are valid. */
export function firstInvalidUtf8(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.byteLength;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (isUtf8(wholeCharacters(bytes.subarray(0, middle)))) valid = middle;
    else invalid = middle;
  }
  return wholeCharacters(bytes.subarray(0, valid)).byteLength;
}

/** Omits an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf8 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > back) return bytes.subarray(0, bytes.byteLength - back);
    if (length > 0) break;
  }
  return bytes;
}
