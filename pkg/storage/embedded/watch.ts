/** A watch replays the log, from wherever it is to wherever the store is. A slow reader costs nothing but its place. */
import type { RevisedChange, Revision, WatchBatch } from '../backend.ts';
import type { History } from './history.ts';
import type { Pulse } from './pulse.ts';
import type { Tables } from './tables.ts';

const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 4 << 20;

export interface EmbeddedWatchOptions {
  readonly tables: Tables;
  readonly history: History;
  /** The newest durable revision. */
  readonly published: () => Revision;
  /** Beats after each publication and at the end. */
  readonly pulse: Pulse;
  readonly isClosed: () => boolean;
}

/** See `Backend.watch`. Each revision is one change, so a batch can end after any of them. */
export async function* watchLog(
  { tables, history, published, pulse, isClosed }: EmbeddedWatchOptions,
  { from, signal }: { readonly from: Revision; readonly signal: AbortSignal },
): AsyncGenerator<WatchBatch> {
  const ended = () => signal.aborted || isClosed();
  if (!ended() && from === published()) {
    history.assertReadable(from);
    yield { revision: from, changes: [] };
  }
  for (let last = from; !ended();) {
    if (last >= published()) {
      await pulse.next(signal);
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
  for (const { revision, bytes, entry } of tables.logEntries(after, upTo, BATCH_RECORDS)) {
    const { key, value } = entry;
    changes.push({ key, revision, ...(value === undefined ? {} : { record: { key, revision, value } }) });
    copied += bytes;
    if (copied >= BATCH_BYTES) break;
  }
  return changes;
}
