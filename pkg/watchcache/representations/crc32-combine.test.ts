import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { combineCrc32, crc32Shift } from './crc32-combine.ts';

describe('combined CRC-32', () => {
  it('is the sum of the packed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.uint8Array({ maxLength: 2000 }), (a, b) => {
        expect(combineCrc32(crc32(a), crc32(b), crc32Shift(b.length))).toBe(crc32(Buffer.concat([a, b])));
      }),
    );
  });

  it('is correct for megabytes', () => {
    const a = Buffer.alloc(3_000_001, 'coxswain');
    const b = Buffer.alloc(5_000_003, 'rudder');
    expect(combineCrc32(crc32(a), crc32(b), crc32Shift(b.length))).toBe(crc32(Buffer.concat([a, b])));
  });
});
