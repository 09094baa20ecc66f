import { describe, expect, it } from '@jest/globals';
import { openSocketPair } from '../../test/support/socket-pair.ts';
import { ByteQueue } from './byte-queue.ts';
import { DataSender, roundRobin, type SendingOrder, type SendingStream, shortestFirst } from './data-sender.ts';
import { FrameReader } from './frame-reader.ts';
import { DEFAULT_WINDOW_BYTES, FLAG } from './frames.ts';
import { FrameWriter } from './frame-writer.ts';
import { FramePagePool } from './page-pool.ts';

/** Has `bytes` queued, then ends. Its own window is unlimited. */
function streamOf(id: number, bytes: number): SendingStream {
  const queue = new ByteQueue();
  queue.push(Buffer.alloc(bytes, id));
  return {
    id,
    windowBytes: 1_000_000,
    ending: true,
    get queuedBytes() {
      return queue.byteLength;
    },
    take: (into, at, count) => queue.take(into, at, count),
    sentLast: () => undefined,
  };
}

interface Frame {
  readonly stream: number;
  readonly bytes: number;
  readonly last: boolean;
}

/** Runs `send` with a new sender, and returns what the peer receives until the end. */
async function framesOf(order: SendingOrder, send: (sender: DataSender) => void): Promise<readonly Frame[]> {
  const { near, far, close } = await openSocketPair();
  try {
    const frameWriter = new FrameWriter(near, new FramePagePool());
    send(new DataSender(frameWriter, order));
    frameWriter.flush();
    near.end();
    const frames: Frame[] = [];
    const reader = new FrameReader((_type, flags, stream, buffer, start, end) => {
      if (!buffer.subarray(start, end).every((byte) => byte === stream)) throw new Error('the bytes of another stream');
      frames.push({ stream, bytes: end - start, last: (flags & FLAG.endStream) !== 0 });
    });
    for await (const chunk of far) reader.push(chunk as Buffer);
    return frames;
  } finally {
    close();
  }
}

describe('streams that wait for the connection window', () => {
  const waiting = (sender: DataSender) => {
    // The first stream uses up the connection window.
    for (const stream of [streamOf(1, DEFAULT_WINDOW_BYTES + 40_000), streamOf(3, 100_000), streamOf(5, 1000)]) sender.sendQueue(stream);
    sender.widen(60_000);
  };
  /** Without the frames sent before the window was widened. */
  const later = (frames: readonly Frame[]) => {
    let bytes = 0;
    return frames.filter((frame) => (bytes += frame.bytes) > DEFAULT_WINDOW_BYTES);
  };

  it('are sent a frame each, in turn', async () => {
    expect(later(await framesOf(roundRobin, waiting))).toEqual([
      { stream: 1, bytes: 16_384, last: false },
      { stream: 3, bytes: 16_384, last: false },
      { stream: 5, bytes: 1000, last: true },
      { stream: 1, bytes: 16_384, last: false },
      { stream: 3, bytes: 60_000 - 3 * 16_384 - 1000, last: false },
    ]);
  });

  it('are sent one after the other, the one with the least left first', async () => {
    expect(later(await framesOf(shortestFirst, waiting))).toEqual([
      { stream: 5, bytes: 1000, last: true },
      { stream: 1, bytes: 16_384, last: false },
      { stream: 1, bytes: 16_384, last: false },
      { stream: 1, bytes: 40_000 - 2 * 16_384, last: true },
      { stream: 3, bytes: 16_384, last: false },
      { stream: 3, bytes: 19_000 - 16_384, last: false },
    ]);
  });
});
