import type { Entry } from '../store/entry.ts';
import { type SingleObjectOf, eventLine, lineLength, type LineStarts, objectOf, writeLine } from './event.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { Representation } from '../watch-cache.ts';
import type { Watcher } from './watcher.ts';

/** One write carries at least this, unless it is the last, and at most this and one object. */
const WRITE_BYTES = 128 * 1024;

/** Writes ADDED for every entry, straight from the list representations or in the watcher's representation, as fast as the reader takes it. Returns early when the watcher ends. */
export async function writeInitialEvents(
  watcher: Watcher,
  entries: Iterable<Entry>,
  { ADDED }: LineStarts,
  singleObjectOf: SingleObjectOf,
  scheduler: Scheduler,
): Promise<void> {
  const task = new ScheduledTask(scheduler);
  let run: Entry[] = [];
  let bytes = 0;
  const flush = async () => {
    const lines =
      watcher.representation === undefined
        ? linesOf(run, bytes, ADDED)
        : await representationLines(run, watcher.representation, singleObjectOf, task);
    // Nothing stands behind the ERROR line of a watch that has ended meanwhile.
    if (watcher.isOver()) return;
    const isDrained = watcher.writer.write(lines);
    watcher.events += run.length;
    run = [];
    bytes = 0;
    if (watcher.writer.closed) watcher.end('closed');
    else if (!isDrained) await watcher.drained();
    if (task.shouldYield()) await task.yield();
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
async function representationLines(
  entries: readonly Entry[],
  representation: Representation,
  singleObjectOf: SingleObjectOf,
  task: ScheduledTask,
): Promise<Buffer> {
  const lines: Buffer[] = [];
  for (const entry of entries) {
    const made = objectOf(entry, representation, representation.now(), singleObjectOf);
    if (made !== undefined) lines.push(eventLine('ADDED', made.bytes, representation));
    if (task.shouldYield()) await task.yield();
  }
  return Buffer.concat(lines);
}
