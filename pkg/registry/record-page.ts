/** A page of a list that comes from the backend instead of the cache, with the same bytes. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import { composeObjects } from '../watchcache/representations/segments.ts';
import { ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import type { CachedObject, Representation, Page, PageFrame } from '../watchcache/watch-cache.ts';

const COMMA = Buffer.from(',');
/** Small writes are joined up to this size. */
const WRITE_BYTES = 256 * 1024;
/** Objects whose derived representations are made in one turn. */
const FORMED_TOGETHER = 64;
const gzipBytes = promisify(gzip);

export interface RecordPageOptions extends Pick<Page, 'next' | 'remaining'> {
  readonly objects: readonly CachedObject[];
}

export function createRecordPage({ objects, ...rest }: RecordPageOptions): Page {
  return {
    ...rest,
    count: objects.length,
    objects,
    byteLength: objects.reduce((bytes, { itemBytes }) => bytes + itemBytes.byteLength, Math.max(0, objects.length - 1)),
    async writeTo(writer, { representation, ...frame }) {
      if (representation !== undefined) return writeDerived(writer, objects, representation, frame);
      const { head, tail, encoding } = frame;
      if (typeof head === 'function') throw new Error('only bare representations are measured');
      if (encoding === 'gzip') {
        await writeAll(writer, [await gzipBytes(Buffer.concat([...pieces(objects, head, tail)]))]);
        return;
      }
      await writeAll(writer, blocks(pieces(objects, head, tail)));
    },
  };
}

async function writeDerived(
  writer: ResponseWriter,
  objects: readonly CachedObject[],
  representation: Representation,
  { head, tail, encoding }: Omit<PageFrame, 'representation'>,
): Promise<void> {
  const made: Buffer[] = [];
  const task = new ScheduledTask();
  for (let from = 0; from < objects.length; from += FORMED_TOGETHER) {
    const composed = composeObjects(objects.slice(from, from + FORMED_TOGETHER), representation);
    made.push(from === 0 && representation.isContextFree !== true ? composed.subarray(1) : composed);
    if (task.shouldYield()) await task.yield();
    if (writer.closed) return;
  }
  made.unshift(typeof head === 'function' ? head(made.reduce((sum, { byteLength }) => sum + byteLength, 0)) : head);
  made.push(tail);
  await writeAll(writer, encoding === 'gzip' ? [await gzipBytes(Buffer.concat(made))] : blocks(made));
}

function* pieces(objects: readonly CachedObject[], head: Buffer, tail: Buffer): Generator<Buffer> {
  yield head;
  for (const [index, { itemBytes }] of objects.entries()) {
    if (index > 0) yield COMMA;
    yield itemBytes;
  }
  yield tail;
}

function* blocks(all: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const piece of all) {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes < WRITE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

async function writeAll(writer: ResponseWriter, all: Iterable<Buffer>): Promise<void> {
  for (const block of all) {
    if (writer.closed) return;
    if (!writer.write(block)) await writer.drained();
  }
}
