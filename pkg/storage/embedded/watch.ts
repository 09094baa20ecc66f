/** A watch reads the log from its own position, so a slow reader needs no buffer. */
import type { RevisedChange, Revision, WatchBatch } from '../backend.ts';
import type { History } from './history.ts';
import type { Notifier } from './notifier.ts';
import type { Tables } from './tables.ts';

const MAX_BATCH_RECORDS = 1_000;
const MAX_BATCH_BYTES = 4 << 20;

interface EmbeddedWatchOptions {
  readonly tables: Tables;
  readonly history: History;
  /** The newest durable revision. */
  readonly published: () => Revision;
  /** Notifies after each publication and on close. */
  readonly notifier: Notifier;
  readonly isClosed: () => boolean;
}

/** See `Backend.watch`. A revision has one change, so a batch may end after any change. */
export async function* watchLog(
  { tables, history, published, notifier, isClosed }: EmbeddedWatchOptions,
  { from, signal }: { readonly from: Revision; readonly signal: AbortSignal },
): AsyncGenerator<WatchBatch> {
  const ended = () => signal.aborted || isClosed();
  if (!ended() && from === published()) {
    history.assertReadable(from);
    yield { revision: from, changes: [] };
  }
  for (let last = from; !ended();) {
    if (last >= published()) {
      await notifier.next(signal);
      continue;
    }
    history.assertReadable(last);
    tables.assertHealthy();
    const changes = readChanges(tables, last, published());
    last = changes.at(-1)?.revision ?? published();
    yield { revision: last, changes };
  }
}

function readChanges(tables: Tables, after: Revision, upTo: Revision): RevisedChange[] {
  const changes: RevisedChange[] = [];
  let copied = 0;
  for (const { revision, bytes, entry } of tables.logEntries(after, upTo, MAX_BATCH_RECORDS)) {
    const { key, value } = entry;
    changes.push({ key, revision, ...(value === undefined ? {} : { record: { key, revision, value } }) });
    copied += bytes;
    if (copied >= MAX_BATCH_BYTES) break;
  }
  return changes;
}
