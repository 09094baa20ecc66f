/** Watches a configuration file. */
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigDocument } from './config-document.ts';
import { parseConfig, unreadable } from './load-config.ts';
import type { LoadedConfig, LoadOptions } from './load-config.ts';
import { readFileText } from './source/read-text.ts';

export interface WatchConfigOptions extends LoadOptions {
  /**
   * The polling interval. The file must also be unchanged for this long before it is read, so that partial writes are
   * not seen.
   */
  readonly intervalMs?: number;
}

/** The current contents of the file. */
export type ConfigChange = LoadedConfig & {
  /**
   * The last documents without errors: of this text or, while it has errors, of an earlier one. Empty if there were
   * none yet.
   */
  readonly lastValid: readonly ConfigDocument[];
};

const DEFAULT_EVERY_MS = 1000;

/**
 * Yields the current file, and then each change of its text, including a change back to an earlier text. Ends without
 * throwing when `signal` aborts. Polls the file, so it does not matter how it is replaced: overwritten, renamed,
 * through a link or on a network. If the file is deleted, that is a change too.
 */
export async function* watchConfig(
  path: string,
  signal: AbortSignal,
  options: WatchConfigOptions = {},
): AsyncGenerator<ConfigChange, void> {
  const { intervalMs = DEFAULT_EVERY_MS, ...loadOptions } = options;
  let lastValid: readonly ConfigDocument[] = [];
  let lastStamp: string | undefined;
  let lastContent: string | undefined;
  while (!signal.aborted) {
    const stamp = await fileStamp(path);
    if (stamp !== lastStamp) {
      const isFirst = lastStamp === undefined;
      lastStamp = stamp;
      // A file may be read while it is being written, so it must be unchanged for an interval first.
      if (isFirst || (await isStable(path, stamp, intervalMs, signal))) {
        const read = await readFileText(path);
        const text = 'text' in read ? `text ${read.text}` : `failure ${read.failure}`;
        if (text !== lastContent) {
          lastContent = text;
          const loaded = 'text' in read ? parseConfig(read.text, { ...loadOptions, file: path }) : unreadable(path, read.failure);
          if (loaded.valid) lastValid = loaded.documents;
          yield { ...loaded, lastValid };
        }
      } else {
        lastStamp = '';
      }
      continue;
    }
    await sleep(intervalMs, signal);
  }
}

async function isStable(path: string, stamp: string, forMs: number, signal: AbortSignal): Promise<boolean> {
  await sleep(forMs, signal);
  return !signal.aborted && (await fileStamp(path)) === stamp;
}

/** Changes when the file is replaced or written. Follows links. */
async function fileStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
