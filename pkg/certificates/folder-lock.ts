/** One writer per folder, by an exclusive transaction on `lock.db`. The kernel releases it when the process ends. */
import { join } from 'node:path';
import type { Clock } from '../apimachinery/time/clock.ts';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import { CertificateError } from './certificate-error.ts';

const RETRY_MS = 10;
const TIMEOUT_MS = 10_000;

/** Waits for other processes, which create a few certificates. Throws CertificateError after ten seconds. */
export async function lockFolder(dir: string, clock: Clock): Promise<{ release(): void }> {
  const { DatabaseSync } = await import('node:sqlite');
  for (const startedAt = performance.now(); ;) {
    const database = new DatabaseSync(join(dir, 'lock.db'));
    try {
      database.exec('BEGIN EXCLUSIVE');
      return { release: () => database.close() };
    } catch (error) {
      database.close();
      const text = errorMessage(error);
      const busy = /locked|busy/i.test(text);
      if (!busy) throw new CertificateError(`${dir} cannot be locked: ${text}.`, { cause: error });
      if (performance.now() - startedAt > TIMEOUT_MS) {
        throw new CertificateError(`${dir} has been locked by another process for more than ${TIMEOUT_MS / 1000} s.`, { cause: error });
      }
      await clock.sleep(RETRY_MS);
    }
  }
}
