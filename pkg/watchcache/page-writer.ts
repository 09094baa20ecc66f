import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';
import { AnswerWriter, type UnsentBudget } from './answer-writer.ts';
import type { Chunk } from './chunk.ts';
import type { BarePiece } from './bare-piece.ts';
import type { PreparedPiece } from './prepared-piece.ts';
import { type DeflatedBlock, deflateBlock, storedBlock } from './deflated-block.ts';
import type { Entry } from './entry.ts';
import { GzipStream } from './gzip-stream.ts';
import type { Memos } from './memo-budget.ts';
import { type LoopTurns, Slice } from './slice.ts';
import type { PageFrame } from './watch-cache.ts';

export type Frame = Pick<PageFrame, 'head' | 'tail' | 'encoding'>;

/** What the answers of a process share. */
export interface Shared {
  readonly memos: Memos;
  readonly unsent: UnsentBudget;
  readonly turns?: LoopTurns | undefined;
}

/**
 * Part of a list: a whole chunk, whose gzip form may be remembered, bytes cut for this answer, or a run of objects in a derived form. All begin
 * with a comma, but for bytes that are the first piece, and bare forms.
 */
export type Piece =
  | { readonly chunk: Chunk; readonly bytes?: undefined; readonly joined: Buffer }
  | { readonly chunk?: undefined; readonly bytes: Buffer }
  | { readonly chunk?: undefined; readonly bytes?: undefined; readonly derived: PreparedPiece | BarePiece };

/** Entries that lie in no joined Buffer are copied together up to this, so that a list is never a write per object. */
const ASSEMBLED_BYTES = 128 * 1024;
/** Smaller answers are one write; smaller pieces wait for each other. */
const ONE_WRITE_BYTES = 64 * 1024;
/** Blocks deflated ahead of the one that is written: keeps the thread pool busy, and bounds what a slow reader leaves behind. */
const BLOCKS_AHEAD = 3;
const COMMA = 0x2c;

/** Copies of the entries' list forms with commas between them, in pieces. `isFirst`: no comma in front. */
export function* assembled(entries: readonly Entry[], from: number, to: number, isFirst: boolean): Generator<Piece> {
  for (let start = from; start < to;) {
    let bytes = 0;
    let end = start;
    for (; end < to; end++) {
      const size = entries[end]?.size ?? 0;
      if (end > start && bytes + size >= ASSEMBLED_BYTES) break;
      bytes += size + 1;
    }
    const withComma = !(isFirst && start === from);
    const piece = Buffer.allocUnsafeSlow(withComma ? bytes : bytes - 1);
    let offset = 0;
    for (let i = start; i < end; i++) {
      if (i > start || withComma) piece[offset++] = COMMA;
      offset += entries[i]?.copyTo(piece, offset) ?? 0;
    }
    yield { bytes: piece };
    start = end;
  }
}

/**
 * Writes head, pieces and tail. Waits for slow readers, lets others run after a slice, stops early when the sink closes.
 * `byteLength` of the pieces only decides how they are put together.
 */
export async function writePieces(
  pieces: Iterable<Piece>,
  byteLength: number,
  sink: ByteSink,
  frame: Frame,
  shared: Shared,
): Promise<void> {
  if (frame.encoding === 'identity' && byteLength <= ONE_WRITE_BYTES) {
    writeAtOnce(pieces, sink, frame);
    return;
  }
  const all = typeof frame.head === 'function' ? [...pieces] : pieces;
  const head = typeof frame.head === 'function' ? frame.head(await measured(all, sink, shared)) : frame.head;
  if (sink.closed) return;
  await (frame.encoding === 'gzip' ? writeGzip(all, sink, head, frame.tail, shared) : writeIdentity(all, sink, head, frame.tail, shared));
}

/** Whether everything may be written as one block. */
export const takesBlock = (sink: ByteSink, { encoding }: Pick<Frame, 'encoding'>, { unsent }: Pick<Shared, 'unsent'>): boolean =>
  encoding === 'gzip' && sink.keepsReferences === true && unsent.hasRoom;

/** Writes head, the one block that is everything, and tail. */
export async function writeBlock(
  block: DeflatedBlock,
  sink: ByteSink,
  { head, tail }: Frame,
  { unsent, turns }: Pick<Shared, 'unsent' | 'turns'>,
): Promise<void> {
  if (typeof head === 'function') throw new Error('only bare forms are measured');
  // Many such lists may come in one turn.
  const slice = new Slice(turns);
  if (slice.due()) await slice.next();
  if (sink.closed) return;
  const writer = new AnswerWriter(sink, unsent);
  const stream = new GzipStream(writer);
  stream.add(storedBlock(head));
  stream.addElements(block, false, true);
  stream.add(storedBlock(tail));
  stream.end();
  await writer.finish();
}

/** What one answer holds of objects that were made to be measured, so that they need not be made again to be sent. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

async function measured(pieces: Iterable<Piece>, sink: ByteSink, { turns }: Shared): Promise<number> {
  const slice = new Slice(turns);
  let bytes = 0;
  let held = 0;
  for (const piece of pieces) {
    if (!isDerived(piece) || !piece.derived.isBare) throw new Error('only bare forms are measured');
    bytes += piece.derived.knownLength ?? (await piece.derived.measure(slice));
    held += piece.derived.heldBytes;
    if (held > MAX_HELD_BYTES) piece.derived.release();
    if (slice.due()) await slice.next();
    if (sink.closed) break;
  }
  return bytes;
}

const isDerived = (piece: Piece): piece is Piece & { readonly derived: PreparedPiece | BarePiece } =>
  piece.chunk === undefined && piece.bytes === undefined;

const isBare = (piece: Piece): boolean => isDerived(piece) && piece.derived.isBare;

function bytesOf(piece: Piece, isFirst: boolean): Buffer {
  if (piece.bytes !== undefined) return piece.bytes;
  const bytes = piece.chunk === undefined ? piece.derived.compose() : piece.joined;
  return isFirst && !isBare(piece) ? bytes.subarray(1) : bytes;
}

function writeAtOnce(pieces: Iterable<Piece>, sink: ByteSink, { head, tail }: Frame): void {
  const parts: Buffer[] = [];
  for (const piece of pieces) parts.push(bytesOf(piece, parts.length === 0));
  const start = typeof head === 'function' ? head(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)) : head;
  sink.write(Buffer.concat([start, ...parts, tail]));
}

async function writeIdentity(
  pieces: Iterable<Piece>,
  sink: ByteSink,
  head: Buffer,
  tail: Buffer,
  { unsent, turns }: Shared,
): Promise<void> {
  const writer = new AnswerWriter(sink, unsent);
  const slice = new Slice(turns);
  let isFirst = true;
  writer.add(head, false);
  for (const piece of pieces) {
    if (isDerived(piece)) await piece.derived.prepare(slice);
    writer.add(bytesOf(piece, isFirst), piece.chunk !== undefined);
    if (isDerived(piece)) piece.derived.release();
    if (writer.isFull && !writer.flush()) await writer.drained();
    if (slice.due()) await slice.next();
    if (sink.closed) return;
    isFirst = false;
  }
  writer.add(tail, false);
  await writer.finish();
}

async function writeGzip(
  pieces: Iterable<Piece>,
  sink: ByteSink,
  head: Buffer,
  tail: Buffer,
  { memos, unsent, turns }: Shared,
): Promise<void> {
  const writer = new AnswerWriter(sink, unsent);
  const stream = new GzipStream(writer);
  const slice = new Slice(turns);
  const ahead: Deflated[] = [];
  const writeNext = async (): Promise<void> => {
    const next = ahead.shift();
    if (next === undefined) return;
    const isWaitedFor = next.block instanceof Promise;
    stream.addElements(isWaitedFor ? await next.block : next.block, next.withComma, !isWaitedFor);
    if (writer.isFull && !writer.flush()) await writer.drained();
  };
  stream.add(storedBlock(head));
  for (const piece of pieces) {
    if (isDerived(piece) && piece.derived.deflated() === undefined) await piece.derived.prepare(slice);
    const block = blockOf(piece, memos);
    if (isDerived(piece)) piece.derived.release();
    const deflated = { block, withComma: piece.bytes === undefined && !isBare(piece) };
    if (ahead.length === 0 && !(block instanceof Promise)) {
      // Nothing to wait for: a list whose blocks are all remembered is one loop.
      stream.addElements(block, deflated.withComma, true);
      if (writer.isFull && !writer.flush()) await writer.drained();
    } else {
      // Awaited in its turn; until then a failure is nobody's surprise.
      if (block instanceof Promise) block.catch(() => undefined);
      ahead.push(deflated);
      if (ahead.length > BLOCKS_AHEAD) await writeNext();
    }
    if (slice.due()) await slice.next();
    if (sink.closed) return;
  }
  while (ahead.length > 0 && !sink.closed) await writeNext();
  stream.add(storedBlock(tail));
  stream.end();
  await writer.finish();
}

interface Deflated {
  readonly block: DeflatedBlock | Promise<DeflatedBlock>;
  /** The comma in front is not in the block, so that the block serves as first piece too. */
  readonly withComma: boolean;
}

function blockOf(piece: Piece, memos: Memos): DeflatedBlock | Promise<DeflatedBlock> {
  if (piece.chunk !== undefined) return chunkBlock(piece.chunk, piece.joined, memos);
  return piece.bytes !== undefined ? deflateBlock(piece.bytes) : piece.derived.deflate();
}

/** Made once per chunk, however many lists ask at the same time; kept as long as the budget and the chunk last. */
function chunkBlock(chunk: Chunk, joined: Buffer, memos: Memos): DeflatedBlock | Promise<DeflatedBlock> {
  if (chunk.gzip !== undefined) {
    memos.touch(chunk);
    return chunk.gzip;
  }
  const made = deflateBlock(joined.subarray(1)).then(
    (block) => {
      if (!chunk.isSuperseded) {
        chunk.gzip = block;
        memos.keep(chunk, block.bytes.length, () => (chunk.gzip = undefined));
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
