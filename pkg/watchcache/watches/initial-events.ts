import { ScheduledTask, type Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { Representation } from '../representations/representation.ts';
import type { Entry } from '../store/entry.ts';
import { eventOf, type EventEncoder, type ObjectIn } from './event-encoder.ts';
import type { Watcher } from './watcher.ts';

/** Minimum of a write, except the last one; exceeded by at most one object. */
const WRITE_BYTES = 128 * 1024;

/** Writes ADDED for every entry at the speed of the reader. Returns early when the watcher ends. */
export async function writeInitialEvents(
  watcher: Watcher,
  entries: Iterable<Entry>,
  { encoder, objectIn, scheduler }: { readonly encoder: EventEncoder; readonly objectIn: ObjectIn; readonly scheduler: Scheduler },
): Promise<void> {
  const { representation, writer } = watcher;
  const task = new ScheduledTask(scheduler);
  let batch: Entry[] = [];
  let bytes = 0;
  const flush = async () => {
    const events = representation === undefined ? encoder.addedLines(batch, bytes) : await addedIn(representation, batch, objectIn, task);
    // Nothing may follow the ERROR event of an ended watch.
    if (watcher.isOver()) return;
    const isDrained = writer.write(events);
    watcher.events += batch.length;
    batch = [];
    bytes = 0;
    if (writer.closed) watcher.end('closed');
    else if (!isDrained) await watcher.drained();
    if (task.shouldYield()) await task.yield();
  };
  if (watcher.isOver()) return;
  for (const entry of entries) {
    batch.push(entry);
    bytes += encoder.addedLength(entry);
    if (bytes < WRITE_BYTES) continue;
    await flush();
    if (watcher.isOver()) return;
  }
  if (batch.length > 0) await flush();
}

/** Yields, because a write may contain hundreds of small objects. */
async function addedIn(
  representation: Representation,
  entries: readonly Entry[],
  objectIn: ObjectIn,
  task: ScheduledTask,
): Promise<Buffer> {
  const events: Buffer[] = [];
  for (const entry of entries) {
    events.push(eventOf('ADDED', objectIn(entry, representation, representation.now()).bytes, representation));
    if (task.shouldYield()) await task.yield();
  }
  return Buffer.concat(events);
}
