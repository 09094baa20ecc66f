import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteQueue } from './byte-queue.ts';

it('a queue returns its bytes in parts of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.nat(30))), (scheduler) => {
      const queue = new ByteQueue();
      const put: number[] = [];
      const taken: number[] = [];
      for (const [piece, most] of scheduler) {
        queue.push(piece);
        put.push(...piece);
        const count = Math.min(most, queue.byteLength);
        const into = Buffer.alloc(count + 2, 0xff);
        queue.take(into, 1, count);
        expect([into[0], into.at(-1)]).toEqual([0xff, 0xff]);
        taken.push(...into.subarray(1, -1));
        expect(queue.byteLength).toBe(put.length - taken.length);
      }
      expect(taken).toEqual(put.slice(0, taken.length));
    }),
  );
});
