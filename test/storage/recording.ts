/** A watch that is read in the background, so that a test can write beside it and wait for what it needs. */
import type { Backend, RevisedChange, Revision, WatchBatch } from '../../pkg/storage/backend.ts';

const PATIENCE_MS = 10_000;

export interface Recording {
  readonly batches: readonly WatchBatch[];
  readonly changes: readonly RevisedChange[];
  /** Undefined as long as the watch runs; how it ended then. */
  readonly ended: { readonly error?: unknown } | undefined;
  /** Resolves as soon as `done` holds after a batch, or after the end; rejects when that takes too long. */
  until(done: (recording: Recording) => boolean): Promise<void>;
  /** Waits for a batch that is complete up to `revision`. */
  reached(revision: Revision): Promise<void>;
  /** Aborts, and waits for the end. */
  stop(): Promise<void>;
}

export interface RecordOptions {
  readonly backend: Backend;
  readonly from: Revision;
  /** Awaited after each batch before the next is asked for: a slow reader. */
  readonly afterBatch?: (batch: WatchBatch) => Promise<void>;
}

export function record({ backend, from, afterBatch }: RecordOptions): Recording {
  const abort = new AbortController();
  const batches: WatchBatch[] = [];
  const changes: RevisedChange[] = [];
  const waiting = new Set<() => void>();
  let ended: { readonly error?: unknown } | undefined;
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const run = async () => {
    try {
      for await (const batch of backend.watch({ from, signal: abort.signal })) {
        batches.push(batch);
        changes.push(...batch.changes);
        wake();
        await afterBatch?.(batch);
      }
      ended = {};
    } catch (error) {
      ended = { error };
    }
    wake();
  };
  const until = async (done: (recording: Recording) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(
          new Error(`the watch did not get there: ${batches.length} batches, ${changes.length} changes, ended: ${ended !== undefined}`),
        );
      }, PATIENCE_MS);
      const check = () => {
        if (!done(recording)) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const recording: Recording = {
    batches,
    changes,
    get ended() {
      return ended;
    },
    until,
    reached: async (revision) => {
      await until((seen) => (seen.batches.at(-1)?.revision ?? 0) >= revision || seen.ended !== undefined);
      if (ended !== undefined) throw new Error('the watch ended early', { cause: ended.error });
    },
    stop: async () => {
      abort.abort();
      await running;
    },
  };
  const running = run();
  return recording;
}
