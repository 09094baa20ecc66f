/**
 * A StorageVersion that cannot be read would keep every server from taking writes for good: nothing can be written over
 * it or delete it.
 */
import type { Log } from '../../observability/logging.ts';
import type { Backend, StoredRecord } from '../../storage/backend.ts';
import type { CompiledKind } from '../compiled-kind.ts';
import { objectKey } from '../keys.ts';
import { readableRecord } from '../stored-object.ts';

export interface RemoveUnreadableOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** StorageVersion. */
  readonly compiled: CompiledKind;
  readonly names: Iterable<string>;
  readonly log: Log;
}

/** What it said is lost; each server writes its own entry anew with its next sign of life. */
export async function removeUnreadable({ backend, compiled, names, log }: RemoveUnreadableOptions): Promise<void> {
  await Promise.all(
    [...names].map(async (name) => {
      const key = objectKey(compiled.kind.definition, { namespace: '', name });
      const { record } = await backend.get(key);
      if (record === undefined || isReadable(compiled, record)) return;
      log.warn('a storage version cannot be read and is made anew', { name, revision: record.revision });
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
