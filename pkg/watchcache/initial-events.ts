import type { Entry } from './entry.ts';
import { type AloneOf, eventLine, lineLength, type LineStarts, objectOf, writeLine } from './event.ts';
import { type LoopTurns, Slice } from './slice.ts';
import type { DerivedForm } from './watch-cache.ts';
import type { Watcher } from './watcher.ts';

/** One write carries at least this, unless it is the last, and at most this and one object. */
const WRITE_BYTES = 128 * 1024;

/** Writes ADDED for every entry, straight from the list forms or in the watcher's form, as fast as the reader takes it. Returns early when the watcher ends. */
export async function writeInitialEvents(
  watcher: Watcher,
  entries: Iterable<Entry>,
  { ADDED }: LineStarts,
  aloneOf: AloneOf,
  turns: LoopTurns,
): Promise<void> {
  const slice = new Slice(turns);
  let run: Entry[] = [];
  let bytes = 0;
  const flush = async () => {
    const lines = watcher.form === undefined ? linesOf(run, bytes, ADDED) : await derivedLines(run, watcher.form, aloneOf, slice);
    // Nothing stands behind the ERROR line of a watch that has ended meanwhile.
    if (watcher.isOver()) return;
    const isDrained = watcher.sink.write(lines);
    watcher.events += run.length;
    run = [];
    bytes = 0;
    if (watcher.sink.closed) watcher.end('closed');
    else if (!isDrained) await watcher.drained();
    if (slice.due()) await slice.next();
  };
  if (watcher.isOver()) return;
  for (const entry of entries) {
    run.push(entry);
    bytes += lineLength(ADDED, entry);
    if (bytes < WRITE_BYTES) continue;
    await flush();
    if (watcher.isOver()) return;
  }
  if (run.length > 0) await flush();
}

function linesOf(entries: readonly Entry[], bytes: number, start: Buffer): Buffer {
  const lines = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (const entry of entries) offset = writeLine(lines, offset, start, entry);
  return lines;
}

/** In slices: of small objects, hundreds are made for one write. */
async function derivedLines(entries: readonly Entry[], form: DerivedForm, aloneOf: AloneOf, slice: Slice): Promise<Buffer> {
  const lines: Buffer[] = [];
  for (const entry of entries) {
    const made = objectOf(entry, form, form.now(), aloneOf);
    if (made !== undefined) lines.push(eventLine('ADDED', made.bytes, form));
    if (slice.due()) await slice.next();
  }
  return Buffer.concat(lines);
}
