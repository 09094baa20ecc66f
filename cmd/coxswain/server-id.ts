/**
 * The id of `serve` among the servers over one store: the same after a restart, where there is a data folder to keep it
 * in.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFolder, readOptional, writePrivateFile } from '../../pkg/certificates/private-files.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import { createServerId, isServerId } from '../../pkg/registry/storage-versions/server-id.ts';

const FILE = 'server-id';

export interface ServerIdOptions {
  /** Absent: this server keeps nothing on disk, and gets another id each time. */
  readonly dataDir?: string;
  readonly hostName: string;
  readonly log: Log;
}

/** Never rejects: an id that cannot be kept costs its old entries 60 s of life and nothing else. */
export async function openServerId({ dataDir, hostName, log }: ServerIdOptions): Promise<string> {
  const id = createServerId(hostName, randomBytes);
  if (dataDir === undefined) return id;
  const path = join(dataDir, FILE);
  try {
    const kept = (await readOptional(path))?.trim();
    if (kept !== undefined && isServerId(kept)) return kept;
    await makePrivateFolder(dataDir);
    await writePrivateFile(path, `${id}\n`);
  } catch (error) {
    log.warn('the id of this server cannot be kept', { path, error });
  }
  return id;
}
