import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BodyBuffer } from './body-buffer.ts';

it('a body is what was received, in whatever chunks', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.nat(40_000).map((size) => new Uint8Array(size).fill(size)),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const body = new BodyBuffer();
      for (const each of pieces) {
        const from = Buffer.concat([Buffer.from('<'), each, Buffer.from('>')]);
        body.append(from, 1, 1 + each.byteLength);
        from.fill(0);
      }
      const whole = Buffer.concat(pieces);
      expect(body.byteLength).toBe(whole.byteLength);
      expect(body.take().equals(whole)).toBe(true);
      expect(body.take().byteLength).toBe(0);
    }),
    { numRuns: 50 },
  );
});
