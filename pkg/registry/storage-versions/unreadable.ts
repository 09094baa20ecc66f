/** A StorageVersion that cannot be read would keep every server from taking writes for good: nothing can be written over it or delete it. */
import type { Kind } from '../../apis/kind.ts';
import type { Log } from '../../observability/logging.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import type { Backend, StoredRecord } from '../../storage/backend.ts';
import { objectKey } from '../keys.ts';
import { readableRecord } from '../stored-object.ts';

export interface RemoveUnreadableOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** StorageVersion. */
  readonly kind: Kind;
  readonly names: Iterable<string>;
  readonly log: Log;
}

/** What it said is lost; each server writes its own entry anew with its next sign of life. */
export async function removeUnreadable({ backend, kind, names, log }: RemoveUnreadableOptions): Promise<void> {
  await Promise.all(
    [...names].map(async (name) => {
      const key = objectKey(kind.definition, { namespace: '', name });
      const { record } = await backend.get(key);
      if (record === undefined || isReadable(kind, record)) return;
      log.warn('a storage version cannot be read and is made anew', { name, revision: record.revision });
      await backend.commit({ key, ifRevision: record.revision, value: null });
    }),
  );
}

function isReadable(kind: Kind, record: StoredRecord): boolean {
  try {
    createObjectCodec(kind.shape).parseStored(readableRecord(kind.definition, record).json);
    return true;
  } catch {
    return false;
  }
}
