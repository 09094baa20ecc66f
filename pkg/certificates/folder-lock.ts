/** One writer per folder: an exclusive transaction on `lock.db`. The kernel frees it on any death, so no stale lock is ever left. */
import { join } from 'node:path';
import type { Clock } from '../apimachinery/time/clock.ts';
import { CertificateError } from './certificate-error.ts';
import { errorText } from './error-text.ts';

export interface FolderLock {
  release(): void;
}

const RETRY_MS = 10;
const PATIENCE_MS = 10_000;

/** Waits while another process holds it, which takes as long as making a few certificates. Throws CertificateError after ten seconds. */
export async function lockFolder(dir: string, clock: Clock): Promise<FolderLock> {
  const { DatabaseSync } = await import('node:sqlite');
  for (const begun = performance.now(); ;) {
    const database = new DatabaseSync(join(dir, 'lock.db'));
    try {
      database.exec('BEGIN EXCLUSIVE');
      return { release: () => database.close() };
    } catch (error) {
      database.close();
      const text = errorText(error);
      const busy = /locked|busy/i.test(text);
      if (!busy) throw new CertificateError(`${dir} cannot be locked: ${text}.`, { cause: error });
      if (performance.now() - begun > PATIENCE_MS) {
        throw new CertificateError(`${dir} is being written by another process for more than ${PATIENCE_MS / 1000} s.`, { cause: error });
      }
      await clock.sleep(RETRY_MS);
    }
  }
}
