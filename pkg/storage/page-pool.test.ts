import { describe, expect, it } from '@jest/globals';
import { PagePool } from './page-pool.ts';

describe('a page pool', () => {
  it('does not reuse memory before it is released', () => {
    const pool = new PagePool();
    const pages = Array.from({ length: 5 }, () => pool.page());
    const buffers = pages.flatMap(({ take }) => [take(1000), take(1000)]);
    expect(new Set(buffers.map(({ buffer }) => buffer)).size).toBe(10);
    pages[0]?.release();
    pages[0]?.release();
    const again = [pool.page().take(1000), pool.page().take(1000), pool.page().take(1000)];
    expect(again.filter(({ buffer }) => buffers.some((other) => other.buffer === buffer))).toHaveLength(2);
    expect(new Set(again.map(({ buffer }) => buffer)).size).toBe(3);
  });

  it('reuses the memory of two pages for many, even of different lengths', () => {
    const pool = new PagePool();
    const used = new Set<ArrayBufferLike>();
    let before = pool.page();
    before.take(100_000);
    for (let n = 0; n < 100; n++) {
      const next = pool.page();
      const buffer = next.take(100_000 + ((n * 7919) % 10_000));
      expect(buffer.byteLength).toBe(100_000 + ((n * 7919) % 10_000));
      used.add(buffer.buffer);
      before.release();
      before = next;
    }
    expect(used.size).toBeLessThan(4);
  });
});
