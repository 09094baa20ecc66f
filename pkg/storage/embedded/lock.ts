/**
 * One process per folder: an exclusive transaction on `lock.db`, held for life. The kernel frees it on any death, so no
 * stale lock is ever left.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { errorText } from './error-text.ts';

export interface DirectoryLock {
  /** May be called twice. */
  release(): void;
}

/** Throws at once when another process, or another store of this one, holds the folder. */
export function lockDirectory(dir: string): DirectoryLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dir, 'lock.db'));
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    const text = errorText(cause);
    const busy = /locked|busy/i.test(text);
    throw new StorageError(
      'Unreachable',
      busy
        ? `The data folder ${dir} is in use by another process: only one at a time may open it.`
        : `The data folder ${dir} cannot be locked: ${text}.`,
      { cause },
    );
  }
  const held = database;
  return {
    release: () => {
      if (held.isOpen) held.close();
    },
  };
}
