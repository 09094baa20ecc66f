import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeKeptCode, encodeKeptCode } from './kept-code.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((array) => Buffer.from(array));

describe('Kept code', () => {
  it('is taken as it was written, for the program that it is of', () => {
    fc.assert(fc.property(bytes, bytes, (source, code) => decodeKeptCode(source, encodeKeptCode(source, code))?.equals(code) === true));
  });

  it('is not taken when a byte of it or of the program is another, or when it is cut off or longer', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (source, code, place, difference) => {
        const kept = encodeKeptCode(source, code);
        const changed = (original: Buffer): Buffer => {
          const copy = Buffer.from(original);
          const at = place % copy.byteLength;
          copy.writeUInt8(copy.readUInt8(at) ^ difference, at);
          return copy;
        };
        expect(decodeKeptCode(source, changed(kept))).toBeUndefined();
        expect(decodeKeptCode(changed(source), kept)).toBeUndefined();
        expect(decodeKeptCode(source, kept.subarray(0, place % kept.byteLength))).toBeUndefined();
        expect(decodeKeptCode(source, Buffer.concat([kept, code]))).toBeUndefined();
      }),
    );
  });
});
