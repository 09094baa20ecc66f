import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { BufferedWriter, type UnsentBudget } from './buffered-writer.ts';
import type { Chunk } from '../store/chunk.ts';
import type { ContextFreeSegment } from '../representations/context-free-segment.ts';
import type { TemplatedSegment } from '../representations/templated-segment.ts';
import { type DeflatedBlock, deflateBlock, storedBlock } from './deflated-block.ts';
import type { Entry } from '../store/entry.ts';
import { GzipStream } from './gzip-stream.ts';
import type { CacheSpace } from '../store/cache-budget.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { PageFrame } from '../watch-cache.ts';

export type Frame = Pick<PageFrame, 'head' | 'tail' | 'encoding'>;

/** What the answers of a process share. */
export interface Shared {
  readonly cacheSpace: CacheSpace;
  readonly unsent: UnsentBudget;
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Part of a list: a whole chunk, whose gzip representation may be lookup, bytes cut for this answer, or a run of objects in a derived representation. All begin
 * with a comma, but for bytes that are the first segment, and bare representations.
 */
export type Segment =
  | { readonly chunk: Chunk; readonly bytes?: undefined; readonly packed: Buffer }
  | { readonly chunk?: undefined; readonly bytes: Buffer }
  | { readonly chunk?: undefined; readonly bytes?: undefined; readonly items: TemplatedSegment | ContextFreeSegment };

/** Entries that lie in no packed Buffer are copied together up to this, so that a list is never a write per object. */
const ASSEMBLED_BYTES = 128 * 1024;
/** Smaller answers are one write; smaller segments wait for each other. */
const ONE_WRITE_BYTES = 64 * 1024;
/** Blocks deflated ahead of the one that is written: keeps the thread pool busy, and bounds what a slow reader leaves behind. */
const BLOCKS_AHEAD = 3;
const COMMA = 0x2c;

/** Copies of the entries' list representations with commas between them, in segments. `isFirst`: no comma in front. */
export function* assembled(entries: readonly Entry[], from: number, to: number, isFirst: boolean): Generator<Segment> {
  for (let start = from; start < to;) {
    let bytes = 0;
    let end = start;
    for (; end < to; end++) {
      const size = entries[end]?.size ?? 0;
      if (end > start && bytes + size >= ASSEMBLED_BYTES) break;
      bytes += size + 1;
    }
    const withComma = !(isFirst && start === from);
    const segment = Buffer.allocUnsafeSlow(withComma ? bytes : bytes - 1);
    let offset = 0;
    for (let i = start; i < end; i++) {
      if (i > start || withComma) segment[offset++] = COMMA;
      offset += entries[i]?.copyTo(segment, offset) ?? 0;
    }
    yield { bytes: segment };
    start = end;
  }
}

/**
 * Writes head, segments and tail. Waits for slow readers, lets others run after a task, stops early when the writer closes.
 * `byteLength` of the segments only decides how they are put together.
 */
export async function writeSegments(
  segments: Iterable<Segment>,
  byteLength: number,
  writer: ResponseWriter,
  frame: Frame,
  shared: Shared,
): Promise<void> {
  if (frame.encoding === 'identity' && byteLength <= ONE_WRITE_BYTES) {
    writeAtOnce(segments, writer, frame);
    return;
  }
  const all = typeof frame.head === 'function' ? [...segments] : segments;
  const head = typeof frame.head === 'function' ? frame.head(await measured(all, writer, shared)) : frame.head;
  if (writer.closed) return;
  await (frame.encoding === 'gzip'
    ? writeGzip(all, writer, head, frame.tail, shared)
    : writeIdentity(all, writer, head, frame.tail, shared));
}

/** Whether everything may be written as one block. */
export const takesBlock = (writer: ResponseWriter, { encoding }: Pick<Frame, 'encoding'>, { unsent }: Pick<Shared, 'unsent'>): boolean =>
  encoding === 'gzip' && writer.keepsReferences === true && unsent.hasRoom;

/** Writes head, the one block that is everything, and tail. */
export async function writeBlock(
  block: DeflatedBlock,
  writer: ResponseWriter,
  { head, tail }: Frame,
  { unsent, scheduler }: Pick<Shared, 'unsent' | 'scheduler'>,
): Promise<void> {
  if (typeof head === 'function') throw new Error('only bare representations are measured');
  // Many such lists may come in one turn.
  const task = new ScheduledTask(scheduler);
  if (task.shouldYield()) await task.yield();
  if (writer.closed) return;
  const buffered = new BufferedWriter(writer, unsent);
  const stream = new GzipStream(buffered);
  stream.add(storedBlock(head));
  stream.addItems(block, false, true);
  stream.add(storedBlock(tail));
  stream.end();
  await buffered.finish();
}

/** What one answer holds of objects that were made to be measured, so that they need not be made again to be sent. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

async function measured(segments: Iterable<Segment>, writer: ResponseWriter, { scheduler }: Shared): Promise<number> {
  const task = new ScheduledTask(scheduler);
  let bytes = 0;
  let held = 0;
  for (const segment of segments) {
    if (!isDerived(segment) || !segment.items.isContextFree) throw new Error('only bare representations are measured');
    bytes += segment.items.knownLength ?? (await segment.items.measure(task));
    held += segment.items.retainedBytes;
    if (held > MAX_HELD_BYTES) segment.items.release();
    if (task.shouldYield()) await task.yield();
    if (writer.closed) break;
  }
  return bytes;
}

const isDerived = (segment: Segment): segment is Segment & { readonly items: TemplatedSegment | ContextFreeSegment } =>
  segment.chunk === undefined && segment.bytes === undefined;

const isContextFree = (segment: Segment): boolean => isDerived(segment) && segment.items.isContextFree;

function bytesOf(segment: Segment, isFirst: boolean): Buffer {
  if (segment.bytes !== undefined) return segment.bytes;
  const bytes = segment.chunk === undefined ? segment.items.compose() : segment.packed;
  return isFirst && !isContextFree(segment) ? bytes.subarray(1) : bytes;
}

function writeAtOnce(segments: Iterable<Segment>, writer: ResponseWriter, { head, tail }: Frame): void {
  const parts: Buffer[] = [];
  for (const segment of segments) parts.push(bytesOf(segment, parts.length === 0));
  const start = typeof head === 'function' ? head(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)) : head;
  writer.write(Buffer.concat([start, ...parts, tail]));
}

async function writeIdentity(
  segments: Iterable<Segment>,
  writer: ResponseWriter,
  head: Buffer,
  tail: Buffer,
  { unsent, scheduler }: Shared,
): Promise<void> {
  const buffered = new BufferedWriter(writer, unsent);
  const task = new ScheduledTask(scheduler);
  let isFirst = true;
  buffered.add(head, false);
  for (const segment of segments) {
    if (isDerived(segment)) await segment.items.prepare(task);
    buffered.add(bytesOf(segment, isFirst), segment.chunk !== undefined);
    if (isDerived(segment)) segment.items.release();
    if (buffered.isFull && !buffered.flush()) await buffered.drained();
    if (task.shouldYield()) await task.yield();
    if (writer.closed) return;
    isFirst = false;
  }
  buffered.add(tail, false);
  await buffered.finish();
}

async function writeGzip(
  segments: Iterable<Segment>,
  writer: ResponseWriter,
  head: Buffer,
  tail: Buffer,
  { cacheSpace, unsent, scheduler }: Shared,
): Promise<void> {
  const buffered = new BufferedWriter(writer, unsent);
  const stream = new GzipStream(buffered);
  const task = new ScheduledTask(scheduler);
  const ahead: Deflated[] = [];
  const writeNext = async (): Promise<void> => {
    const next = ahead.shift();
    if (next === undefined) return;
    const isWaitedFor = next.block instanceof Promise;
    stream.addItems(isWaitedFor ? await next.block : next.block, next.withComma, !isWaitedFor);
    if (buffered.isFull && !buffered.flush()) await buffered.drained();
  };
  stream.add(storedBlock(head));
  for (const segment of segments) {
    if (isDerived(segment) && segment.items.deflated() === undefined) await segment.items.prepare(task);
    const block = blockOf(segment, cacheSpace);
    if (isDerived(segment)) segment.items.release();
    const deflated = { block, withComma: segment.bytes === undefined && !isContextFree(segment) };
    if (ahead.length === 0 && !(block instanceof Promise)) {
      // Nothing to wait for: a list whose blocks are all lookup is one loop.
      stream.addItems(block, deflated.withComma, true);
      if (buffered.isFull && !buffered.flush()) await buffered.drained();
    } else {
      // Awaited in its turn; until then a failure is nobody's surprise.
      if (block instanceof Promise) block.catch(() => undefined);
      ahead.push(deflated);
      if (ahead.length > BLOCKS_AHEAD) await writeNext();
    }
    if (task.shouldYield()) await task.yield();
    if (writer.closed) return;
  }
  while (ahead.length > 0 && !writer.closed) await writeNext();
  stream.add(storedBlock(tail));
  stream.end();
  await buffered.finish();
}

interface Deflated {
  readonly block: DeflatedBlock | Promise<DeflatedBlock>;
  /** The comma in front is not in the block, so that the block serves as first segment too. */
  readonly withComma: boolean;
}

function blockOf(segment: Segment, cacheSpace: CacheSpace): DeflatedBlock | Promise<DeflatedBlock> {
  if (segment.chunk !== undefined) return chunkBlock(segment.chunk, segment.packed, cacheSpace);
  return segment.bytes !== undefined ? deflateBlock(segment.bytes) : segment.items.deflate();
}

/** Made once per chunk, however many lists ask at the same time; kept as long as the budget and the chunk last. */
function chunkBlock(chunk: Chunk, packed: Buffer, cacheSpace: CacheSpace): DeflatedBlock | Promise<DeflatedBlock> {
  if (chunk.gzip !== undefined) {
    cacheSpace.touch(chunk);
    return chunk.gzip;
  }
  const made = deflateBlock(packed.subarray(1)).then(
    (block) => {
      if (!chunk.isSuperseded) {
        chunk.gzip = block;
        cacheSpace.keep(chunk, block.bytes.length, () => (chunk.gzip = undefined));
      }
      return block;
    },
    (error: unknown) => {
      chunk.gzip = undefined;
      throw error;
    },
  );
  chunk.gzip = made;
  return made;
}
