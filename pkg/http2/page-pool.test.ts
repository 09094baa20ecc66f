import { describe, expect, it } from '@jest/globals';
import { FramePagePool, LARGE_PAGE_BYTES } from './page-pool.ts';

describe('the page pool', () => {
  it('uses pages again, and frees those that were unused between two calls of trim', () => {
    const pool = new FramePagePool();
    const pages = Array.from({ length: 4 }, () => pool.take(LARGE_PAGE_BYTES));
    for (const page of pages) pool.release(page);
    pool.trim();
    expect(pool.spareBytes).toBe(4 * LARGE_PAGE_BYTES);
    const [first, second] = [pool.take(LARGE_PAGE_BYTES), pool.take(LARGE_PAGE_BYTES)];
    expect(pages).toEqual(expect.arrayContaining([first, second]));
    pool.release(first);
    pool.release(second);
    pool.trim();
    expect(pool.spareBytes).toBe(2 * LARGE_PAGE_BYTES);
    pool.trim();
    expect(pool.spareBytes).toBe(0);
    expect(pages).not.toContain(pool.take(LARGE_PAGE_BYTES));
  });
});
