/** A page of a list that comes from the backend instead of the cache, with the same bytes. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';
import { composeObjects } from '../watchcache/derived-pieces.ts';
import { Slice } from '../watchcache/slice.ts';
import type { CachedObject, DerivedForm, Page, PageFrame } from '../watchcache/watch-cache.ts';

const COMMA = Buffer.from(',');
/** Small writes are joined up to this size. */
const WRITE_BYTES = 256 * 1024;
/** Objects whose derived forms are made in one turn. */
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
    byteLength: objects.reduce((bytes, { listForm }) => bytes + listForm.byteLength, Math.max(0, objects.length - 1)),
    async writeTo(sink, { form, ...frame }) {
      if (form !== undefined) return writeDerived(sink, objects, form, frame);
      const { head, tail, encoding } = frame;
      if (typeof head === 'function') throw new Error('only bare forms are measured');
      if (encoding === 'gzip') {
        await writeAll(sink, [await gzipBytes(Buffer.concat([...pieces(objects, head, tail)]))]);
        return;
      }
      await writeAll(sink, blocks(pieces(objects, head, tail)));
    },
  };
}

async function writeDerived(
  sink: ByteSink,
  objects: readonly CachedObject[],
  form: DerivedForm,
  { head, tail, encoding }: Omit<PageFrame, 'form'>,
): Promise<void> {
  const made: Buffer[] = [];
  const slice = new Slice();
  for (let from = 0; from < objects.length; from += FORMED_TOGETHER) {
    const composed = composeObjects(objects.slice(from, from + FORMED_TOGETHER), form);
    made.push(from === 0 && form.isBare !== true ? composed.subarray(1) : composed);
    if (slice.due()) await slice.next();
    if (sink.closed) return;
  }
  made.unshift(typeof head === 'function' ? head(made.reduce((sum, { byteLength }) => sum + byteLength, 0)) : head);
  made.push(tail);
  await writeAll(sink, encoding === 'gzip' ? [await gzipBytes(Buffer.concat(made))] : blocks(made));
}

function* pieces(objects: readonly CachedObject[], head: Buffer, tail: Buffer): Generator<Buffer> {
  yield head;
  for (const [index, { listForm }] of objects.entries()) {
    if (index > 0) yield COMMA;
    yield listForm;
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

async function writeAll(sink: ByteSink, all: Iterable<Buffer>): Promise<void> {
  for (const block of all) {
    if (sink.closed) return;
    if (!sink.write(block)) await sink.drained();
  }
}
