import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { openSocketPair } from '../../test/support/socket-pair.ts';
import { waitFor } from '../../test/support/wait.ts';
import { FrameWriter } from './frame-writer.ts';
import { FramePagePool } from './page-pool.ts';

/** All bytes until the end. */
async function received(far: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of far) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('a frame writer', () => {
  it('sends all frames in order and unchanged, however slowly they are read', async () => {
    const { near, far, close } = await openSocketPair();
    try {
      const frameWriter = new FrameWriter(near, new FramePagePool());
      const sent: Buffer[] = [];
      for (let n = 0; n < 4000; n++) {
        // From one byte to more than a page.
        const frame = Buffer.alloc(n % 500 === 499 ? 300_000 : 1 + ((n * 7919) % 9000), n % 251);
        sent.push(frame);
        if (n % 2 === 0) frameWriter.push(frame);
        else frame.copy(frameWriter.reserve(frame.byteLength));
        if (n % 7 === 0) frameWriter.flush();
        if (n % 31 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      frameWriter.flush();
      near.end();
      expect((await received(far)).equals(Buffer.concat(sent))).toBe(true);
    } finally {
      close();
    }
  });

  it('writes once per tick', async () => {
    const { near, far, close } = await openSocketPair();
    try {
      const frameWriter = new FrameWriter(near, new FramePagePool());
      for (const bytes of [10, 20, 30]) frameWriter.push(Buffer.alloc(bytes));
      expect(near.bytesWritten).toBe(0);
      const [read] = (await once(far, 'data')) as [Buffer];
      expect(read.byteLength).toBe(60);
    } finally {
      close();
    }
  });

  it('sends several full pages in one tick unchanged, repeatedly', async () => {
    const { near, far, close } = await openSocketPair();
    try {
      const frameWriter = new FrameWriter(near, new FramePagePool());
      const sent: Buffer[] = [];
      for (let turn = 0; turn < 20; turn++) {
        for (let n = 0; n < 60; n++) {
          const frame = Buffer.alloc(9000, (turn * 60 + n) % 251);
          sent.push(frame);
          frameWriter.push(frame);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      frameWriter.flush();
      near.end();
      expect((await received(far)).equals(Buffer.concat(sent))).toBe(true);
    } finally {
      close();
    }
  });

  it('reuses pages that were sent', async () => {
    const { near, far, close } = await openSocketPair();
    try {
      const frameWriter = new FrameWriter(near, new FramePagePool());
      const pages = new Set<ArrayBufferLike>();
      const read = once(far, 'end');
      far.resume();
      for (let n = 0; n < 500; n++) {
        const frame = frameWriter.reserve(5000);
        frame.fill(n % 251);
        pages.add(frame.buffer);
        frameWriter.flush();
        await new Promise((resolve) => setImmediate(resolve));
        await waitFor(() => near.writableLength === 0, { what: 'the socket to take it', everyMs: 0 });
      }
      near.end();
      await read;
      expect(pages.size).toBeLessThan(4);
    } finally {
      close();
    }
  });

  it('sends a deferred frame before the next one, or soon by itself', async () => {
    const { near, far, close } = await openSocketPair();
    try {
      const frameWriter = new FrameWriter(near, new FramePagePool());
      frameWriter.defer(Buffer.from('one '));
      await new Promise((resolve) => setImmediate(resolve));
      expect(near.bytesWritten).toBe(0);
      frameWriter.push(Buffer.from('two '));
      frameWriter.defer(Buffer.from('three '));
      const [together] = (await once(far, 'data')) as [Buffer];
      expect(together.toString()).toBe('one two three ');
      frameWriter.defer(Buffer.from('four '));
      frameWriter.defer(Buffer.from('five '));
      expect(String(await once(far, 'data'))).toBe('four five ');
      frameWriter.defer(Buffer.from('six'));
      expect(String(await once(far, 'data'))).toBe('six');
    } finally {
      close();
    }
  });
});
