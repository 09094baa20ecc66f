/** A configuration file over time. */
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigDocument } from './config-document.ts';
import { parseConfig, unreadable } from './load-config.ts';
import type { LoadedConfig, LoadOptions } from './load-config.ts';
import { readFileText } from './source/read-text.ts';

export interface WatchOptions extends LoadOptions {
  /** How often the file is looked at. Also how long it must be left alone before it is read, so that nobody sees half of it. */
  readonly everyMs?: number;
}

/** What the file says now. */
export type ConfigChange = LoadedConfig & {
  /** The last documents without errors: those of this file, or, while it has errors, of one before. None when it never was valid. */
  readonly inForce: readonly ConfigDocument[];
};

const DEFAULT_EVERY_MS = 1000;

/**
 * The file as it is, then each time that its text is another one; a text that comes back counts as well. Ends, without throwing, when `signal`
 * aborts. The file is looked at from time to time, so it does not matter how it is replaced: written over, renamed, through a link, on a network; and it may
 * be gone for a while, which is a change to what cannot be read.
 */
export async function* watchConfig(path: string, signal: AbortSignal, options: WatchOptions = {}): AsyncGenerator<ConfigChange, void> {
  const { everyMs = DEFAULT_EVERY_MS, ...loadOptions } = options;
  let inForce: readonly ConfigDocument[] = [];
  let seen: string | undefined;
  let said: string | undefined;
  while (!signal.aborted) {
    const state = await stateOf(path);
    if (state !== seen) {
      const isFirst = seen === undefined;
      seen = state;
      // What is written now may go on being written: it is read once it was found unchanged.
      if (isFirst || (await isLeftAlone(path, state, everyMs, signal))) {
        const read = await readFileText(path);
        const text = 'text' in read ? `text ${read.text}` : `refusal ${read.refusal}`;
        if (text !== said) {
          said = text;
          const loaded = 'text' in read ? parseConfig(read.text, { ...loadOptions, file: path }) : unreadable(path, read.refusal);
          if (loaded.valid) inForce = loaded.documents;
          yield { ...loaded, inForce };
        }
      } else {
        seen = '';
      }
      continue;
    }
    await pauseUntil(everyMs, signal);
  }
}

async function isLeftAlone(path: string, state: string, forMs: number, signal: AbortSignal): Promise<boolean> {
  await pauseUntil(forMs, signal);
  return !signal.aborted && (await stateOf(path)) === state;
}

/** Differs when the file is another one, or was written to. Links are followed. */
async function stateOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const pauseUntil = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
