/** A file that is read anew whenever it changes. What cannot be used is reported and leaves the last good value. */
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { readFileText } from '../source/read-text.ts';

export interface ReloadedFileOptions<T> {
  readonly path: string;
  /** Throws an Error with a message for users. Not called again before it is done. */
  readonly parse: (text: string) => T | Promise<T>;
  /** Called after each change of the text with what became of it. */
  readonly reloaded: (error: Error | undefined) => void;
  readonly intervalMs?: number;
}

export interface ReloadedFile<T> {
  readonly value: T;
  close(): void;
}

const DEFAULT_INTERVAL_MS = 1000;

/**
 * Rejects with what `parse` throws, and for a file that cannot be read. Polls, so it does not matter how the file is
 * replaced.
 */
export async function openReloadedFile<T>(options: ReloadedFileOptions<T>): Promise<ReloadedFile<T>> {
  const { path, parse, reloaded, intervalMs = DEFAULT_INTERVAL_MS } = options;
  const stop = new AbortController();
  let stamp = await fileStamp(path);
  let text = await readOrThrow(path);
  let value = await parse(text);

  const check = async (): Promise<void> => {
    const found = await fileStamp(path);
    if (found === stamp) return;
    await pause(intervalMs, undefined, { signal: stop.signal });
    // Unchanged for an interval: nobody is writing it.
    if ((await fileStamp(path)) !== found) return;
    stamp = found;
    try {
      const next = await readOrThrow(path);
      if (next === text) return;
      value = await parse(next);
      text = next;
      reloaded(undefined);
    } catch (error) {
      reloaded(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      await pause(intervalMs, undefined, { signal: stop.signal, ref: false });
      await check();
    }
  };
  follow().catch(() => undefined); // ends when closed
  return {
    get value() {
      return value;
    },
    close: () => stop.abort(),
  };
}

async function readOrThrow(path: string): Promise<string> {
  const read = await readFileText(path);
  if ('failure' in read) throw new Error(`${path}: ${read.failure}`);
  return read.text;
}

async function fileStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return errorMessage(error);
  }
}
