/** A value read from a file that the operator may change while the server runs. */
import { stat } from 'node:fs/promises';
import { errorMessage } from '../status/error-message.ts';
import type { Clock } from '../time/clock.ts';

export interface ReloadedFileOptions<Value> {
  readonly path: string;
  /** Throws an Error with one sentence. */
  readonly read: (path: string) => Promise<Value>;
  readonly clock: Clock;
  /** After each change of the file; `problem`: why it was not taken. */
  readonly onReload: (problem: string | undefined) => void;
  /** Ends the polling. */
  readonly signal: AbortSignal;
}

export interface ReloadedFile<Value> {
  /** What the file held when it was last valid. */
  readonly current: Value;
  /** Resolves after `signal` has aborted. */
  readonly closed: Promise<void>;
}

const POLL_MS = 2000;

/**
 * Throws what `read` throws at first. Later a file that is missing or broken changes nothing and is reported once.
 * Files are polled, because editors, ConfigMaps and Secrets replace them in ways that watches of files miss.
 */
export async function openReloadedFile<Value>(options: ReloadedFileOptions<Value>): Promise<ReloadedFile<Value>> {
  const { path, read, clock, onReload, signal } = options;
  let stamp = await stampOf(path); // before the file is read: a change in between is read again
  let current = await read(path);
  const poll = async () => {
    for (;;) {
      await clock.sleep(POLL_MS, signal);
      if (signal.aborted) return;
      const now = await stampOf(path);
      if (now === stamp) continue;
      stamp = now;
      let problem: string | undefined;
      try {
        current = await read(path);
      } catch (error) {
        problem = errorMessage(error);
      }
      onReload(problem);
    }
  };
  const closed = poll();
  return {
    get current() {
      return current;
    },
    closed,
  };
}

/** Changes whenever the file is written or replaced. */
const stampOf = (path: string): Promise<string> =>
  stat(path, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, size, ino }) => [mtimeNs, ctimeNs, size, ino].join(' '),
    () => 'missing',
  );
