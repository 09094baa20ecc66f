/** Watches a configuration file. */
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import type { ConfigDocument } from './config-document.ts';
import { parseConfig, unreadable } from './load-config.ts';
import type { LoadedConfig, LoadOptions } from './load-config.ts';
import { readFileText } from './source/read-text.ts';

export interface WatchConfigOptions extends LoadOptions {
  /** The polling interval. A file is read after it was unchanged for this long, to avoid partial writes. */
  readonly intervalMs?: number;
}

/** The current contents of the file. */
export type ConfigChange = LoadedConfig & {
  /** The last documents without errors, of this or an earlier text. Empty if there were none yet. */
  readonly lastValid: readonly ConfigDocument[];
};

const DEFAULT_EVERY_MS = 1000;

/**
 * Yields the current file, and then each change of its text. Ends without throwing when `signal` aborts. Polls, so it
 * does not matter how the file is replaced: overwritten, renamed, via a link or on a network. Deletion is a change too.
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
    return errorMessage(error);
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
