/** The id of this server, kept in the data directory across restarts. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFolder, readOptional, writePrivateFile } from '../../pkg/certificates/private-files.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import { createServerId, isServerId } from '../../pkg/registry/storage-versions/server-id.ts';

const FILE = 'server-id';

export interface ServerIdOptions {
  /** Absent: no data on disk, so the id changes on each start. */
  readonly dataDir?: string;
  readonly hostName: string;
  readonly log: Log;
}

/** Never rejects: without a stored id, old entries only stay until they expire. */
export async function openServerId({ dataDir, hostName, log }: ServerIdOptions): Promise<string> {
  const id = createServerId(hostName, randomBytes);
  if (dataDir === undefined) return id;
  const path = join(dataDir, FILE);
  try {
    const stored = (await readOptional(path))?.trim();
    if (stored !== undefined && isServerId(stored)) return stored;
    await makePrivateFolder(dataDir);
    await writePrivateFile(path, `${id}\n`);
  } catch (error) {
    log.warn('the server id cannot be stored', { path, error });
  }
  return id;
}
