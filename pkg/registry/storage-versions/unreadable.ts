/** Deletes unreadable StorageVersions: they cannot be changed, and would block the writes of every server. */
import type { Log } from '../../observability/logging.ts';
import type { Backend, StoredRecord } from '../../storage/backend.ts';
import type { CompiledKind } from '../compiled-kind.ts';
import { objectKey } from '../keys.ts';
import { readableRecord } from '../stored-object.ts';

export interface RemoveUnreadableOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** The kind StorageVersion. */
  readonly compiled: CompiledKind;
  readonly names: Iterable<string>;
  readonly log: Log;
}

/** Their content is lost; each server writes its own entry again with its next heartbeat. */
export async function removeUnreadable({ backend, compiled, names, log }: RemoveUnreadableOptions): Promise<void> {
  await Promise.all(
    [...names].map(async (name) => {
      const key = objectKey(compiled.kind.definition, { namespace: '', name });
      const { record } = await backend.get(key);
      if (record === undefined || isReadable(compiled, record)) return;
      log.warn('replacing an unreadable storage version', { name, revision: record.revision });
      await backend.commit({ key, ifRevision: record.revision, value: null });
    }),
  );
}

function isReadable({ codec, encoding }: CompiledKind, record: StoredRecord): boolean {
  try {
    codec.parseStored(readableRecord(encoding, record).json);
    return true;
  } catch {
    return false;
  }
}
