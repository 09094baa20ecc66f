/** Writes a list: head, segments and tail, as they are or as one gzip member. */
import { ScheduledTask, type Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Allocate } from '../representations/compose.ts';
import { type DeflatedBlock, storedBlock } from '../representations/deflated-block.ts';
import type { PageFrame } from '../watch-cache.ts';
import { BufferedWriter } from './buffered-writer.ts';
import { GzipStream } from './gzip-stream.ts';
import type { ResponseMemory } from './response-memory.ts';
import type { Segment } from './segment.ts';

type ListFrame = Pick<PageFrame, 'head' | 'tail' | 'encoding'>;

/** Shared by all responses of a process. */
export interface ListResources {
  readonly responseMemory: ResponseMemory;
  readonly scheduler?: Scheduler | undefined;
}

/** Smaller lists are sent in one write. */
const ONE_WRITE_BYTES = 64 * 1024;
/** Blocks deflated in advance: keeps the thread pool busy, and limits the memory that a slow reader retains. */
const BLOCKS_AHEAD = 3;
/** Segments that were encoded to measure them are retained up to this size, so that they are encoded only once. */
const MAX_MEASURED_BYTES = 16 * 1024 * 1024;

/** Respects back-pressure, yields, stops when the writer closes. `byteLength` of the segments is an estimate. */
export async function writeSegments(
  segments: Iterable<Segment>,
  byteLength: number,
  writer: ResponseWriter,
  frame: ListFrame,
  resources: ListResources,
): Promise<void> {
  if (frame.encoding === 'identity' && byteLength <= ONE_WRITE_BYTES) {
    writeAtOnce(segments, writer, frame);
    return;
  }
  const isMeasured = typeof frame.head === 'function';
  const all = isMeasured ? [...segments] : segments;
  const head = typeof frame.head === 'function' ? frame.head(await measure(all, writer, resources)) : frame.head;
  if (writer.closed) return;
  const write = frame.encoding === 'gzip' ? writeGzip : writeIdentity;
  await write(all, writer, head, frame.tail, resources);
}

/** Whether a whole collection may be written as one block. */
export const canWriteBlock = (
  writer: ResponseWriter,
  { encoding }: Pick<ListFrame, 'encoding'>,
  { responseMemory }: Pick<ListResources, 'responseMemory'>,
): boolean => encoding === 'gzip' && writer.isZeroCopy === true && responseMemory.hasRoom;

/** Writes a list whose items are one block. */
export async function writeBlock(
  block: DeflatedBlock,
  writer: ResponseWriter,
  { head, tail }: ListFrame,
  { responseMemory, scheduler }: ListResources,
): Promise<void> {
  if (typeof head === 'function') throw new Error('only context-free representations are measured');
  // Many such lists may be requested in one tick.
  const task = new ScheduledTask(scheduler);
  if (task.shouldYield()) await task.yield();
  if (writer.closed) return;
  const output = new BufferedWriter(writer, responseMemory);
  const stream = new GzipStream(output);
  stream.add(storedBlock(head));
  stream.addItems(block, false, true);
  stream.add(storedBlock(tail));
  stream.end();
  await output.end();
}

async function measure(segments: Iterable<Segment>, writer: ResponseWriter, { scheduler }: ListResources): Promise<number> {
  const task = new ScheduledTask(scheduler);
  let bytes = 0;
  let held = 0;
  for (const segment of segments) {
    bytes += await segment.measure(task);
    held += segment.ownBytes;
    if (held > MAX_MEASURED_BYTES) segment.release();
    if (task.shouldYield()) await task.yield();
    if (writer.closed) break;
  }
  return bytes;
}

/** The first segment of a list is not preceded by a comma. */
const bytesOf = (segment: Segment, isFirst: boolean, allocate?: Allocate): Buffer =>
  isFirst && segment.hasSeparator ? segment.bytes(allocate).subarray(1) : segment.bytes(allocate);

function writeAtOnce(segments: Iterable<Segment>, writer: ResponseWriter, { head, tail }: ListFrame): void {
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
  { responseMemory, scheduler }: ListResources,
): Promise<void> {
  const output = new BufferedWriter(writer, responseMemory);
  const task = new ScheduledTask(scheduler);
  let isFirst = true;
  output.add(head, false);
  for (const segment of segments) {
    await segment.prepare(task);
    output.add(bytesOf(segment, isFirst, output.allocate), segment.isShared);
    segment.release();
    if (output.isFull && !output.flush()) await output.drained();
    if (task.shouldYield()) await task.yield();
    if (writer.closed) return;
    isFirst = false;
  }
  output.add(tail, false);
  await output.end();
}

async function writeGzip(
  segments: Iterable<Segment>,
  writer: ResponseWriter,
  head: Buffer,
  tail: Buffer,
  { responseMemory, scheduler }: ListResources,
): Promise<void> {
  const output = new BufferedWriter(writer, responseMemory);
  const stream = new GzipStream(output);
  const task = new ScheduledTask(scheduler);
  const ahead: { readonly block: DeflatedBlock | Promise<DeflatedBlock>; readonly hasSeparator: boolean }[] = [];
  const writeNext = async (): Promise<void> => {
    const next = ahead.shift();
    if (next === undefined) return;
    const isPending = next.block instanceof Promise;
    stream.addItems(isPending ? await next.block : next.block, next.hasSeparator, !isPending);
    if (output.isFull && !output.flush()) await output.drained();
  };
  stream.add(storedBlock(head));
  for (const segment of segments) {
    if (segment.cachedDeflated() === undefined) await segment.prepare(task);
    const block = segment.deflated();
    segment.release();
    if (ahead.length === 0 && !(block instanceof Promise)) {
      // A list whose blocks are all cached needs no await.
      stream.addItems(block, segment.hasSeparator, true);
      if (output.isFull && !output.flush()) await output.drained();
    } else {
      // A failure is thrown where the block is awaited.
      if (block instanceof Promise) block.catch(() => undefined);
      ahead.push({ block, hasSeparator: segment.hasSeparator });
      if (ahead.length > BLOCKS_AHEAD) await writeNext();
    }
    if (task.shouldYield()) await task.yield();
    if (writer.closed) return;
  }
  while (ahead.length > 0 && !writer.closed) await writeNext();
  stream.add(storedBlock(tail));
  stream.end();
  await output.end();
}
