import { describe, expect, it } from '@jest/globals';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { type Block, deflateBlock, GZIP_HEADER, GzipTotals, storedBlock } from './deflated-block.ts';

const member = (blocks: readonly Block[]): Buffer => {
  const totals = new GzipTotals();
  for (const block of blocks) totals.add(block);
  return Buffer.concat([GZIP_HEADER, ...blocks.map(({ bytes }) => bytes), totals.trailer()]);
};

describe('deflated blocks', () => {
  it('make one gzip member in any order', async () => {
    const a = await deflateBlock(Buffer.from('a'.repeat(100_000)));
    const b = await deflateBlock(Buffer.from('b'.repeat(70_000)));
    const end = storedBlock(Buffer.from('.'));
    expect(gunzipSync(member([a, b.afterComma, a.afterComma, end])).toString()).toBe(
      `${'a'.repeat(100_000)},${'b'.repeat(70_000)},${'a'.repeat(100_000)}.`,
    );
  });

  it('store long content in several parts', () => {
    const content = Buffer.from('x'.repeat(200_000));
    expect(gunzipSync(member([storedBlock(content)])).equals(content)).toBe(true);
  });

  it('make a valid empty member', () => {
    expect(gunzipSync(member([])).length).toBe(0);
    expect(gunzipSync(member([storedBlock(Buffer.alloc(0))])).length).toBe(0);
  });

  it('end at a byte boundary without ending the stream', async () => {
    const { bytes } = await deflateBlock(Buffer.from('flushed'));
    expect(bytes.subarray(-4)).toEqual(Buffer.from([0, 0, 0xff, 0xff]));
    expect(inflateRawSync(Buffer.concat([bytes, Buffer.from([3, 0])])).toString()).toBe('flushed');
  });
});
