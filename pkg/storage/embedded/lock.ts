/** Locks a folder with an exclusive transaction on `lock.db`, which the kernel releases however the process ends. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';

export interface DirectoryLock {
  /** Idempotent. */
  release(): void;
}

/** Throws when another process, or another store of this process, holds the lock. */
export function lockDirectory(dir: string): DirectoryLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dir, 'lock.db'));
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    const text = errorMessage(cause);
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
