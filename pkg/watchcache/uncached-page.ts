/** A page of objects read from the backend, with the same bytes as a page from the cache. */
import { ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import { composeItems, toItem } from './representations/compose.ts';
import type { Representation } from './representations/representation.ts';
import type { CachedObject, ListPage } from './watch-cache.ts';

const COMMA = Buffer.from(',');
/** Small writes are joined up to this size. */
const WRITE_BYTES = 256 * 1024;
/** Items encoded between checks of the time budget. */
const ITEMS_PER_CHECK = 64;

export interface UncachedPageOptions extends Pick<ListPage, 'next' | 'remaining'> {
  readonly objects: readonly CachedObject[];
}

export function createUncachedPage({ objects, ...rest }: UncachedPageOptions): ListPage {
  return {
    ...rest,
    count: objects.length,
    objects,
    byteLength: objects.reduce((bytes, { itemBytes }) => bytes + itemBytes.byteLength, Math.max(0, objects.length - 1)),
    identityOnly: true,
    async writeTo(writer, { head, tail, representation }) {
      const items = representation === undefined ? [...storedItems(objects)] : await itemsIn(representation, objects, writer);
      if (writer.closed) return;
      const start = typeof head === 'function' ? head(items.reduce((sum, { byteLength }) => sum + byteLength, 0)) : head;
      await writeAll(writer, batched([start, ...items, tail]));
    },
  };
}

function* storedItems(objects: readonly CachedObject[]): Generator<Buffer> {
  for (const [index, { itemBytes }] of objects.entries()) {
    if (index > 0) yield COMMA;
    yield itemBytes;
  }
}

async function itemsIn(representation: Representation, objects: readonly CachedObject[], writer: ResponseWriter): Promise<Buffer[]> {
  const encoded: Buffer[] = [];
  const task = new ScheduledTask();
  for (let from = 0; from < objects.length && !writer.closed; from += ITEMS_PER_CHECK) {
    const some = objects.slice(from, from + ITEMS_PER_CHECK);
    const items = some.map(({ itemBytes }) => toItem(representation, itemBytes));
    const composed = composeItems(representation, some, items, representation.now());
    encoded.push(from === 0 && representation.isContextFree !== true ? composed.subarray(1) : composed);
    if (task.shouldYield()) await task.yield();
  }
  return encoded;
}

function* batched(parts: readonly Buffer[]): Generator<Buffer> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    batch.push(part);
    bytes += part.byteLength;
    if (bytes < WRITE_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch);
}

async function writeAll(writer: ResponseWriter, writes: Iterable<Buffer>): Promise<void> {
  for (const bytes of writes) {
    if (writer.closed) return;
    if (!writer.write(bytes)) await writer.drained();
  }
}
