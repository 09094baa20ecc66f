/** Deletes an object whose stored value cannot be read, which nothing else can do; lists that include it fail. */
import { invalidValue } from '../apimachinery/status/causes.ts';
import { invalid, notFound } from '../apimachinery/status/status-error.ts';
import type { StoredRecord } from '../storage/backend.ts';
import type { WriterOptions } from './guaranteed-update.ts';
import { objectKey } from './keys.ts';
import type { ObjectName, WriteOptions } from './object-store.ts';
import { requestTimeout, rethrowForClient, throwIfAborted } from './storage-status.ts';
import { readableRecord } from './stored-object.ts';
import type { WriteContext } from './writes.ts';

export const UNREADABLE_ONLY = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Ignores finalizers, which cannot be read. Throws NotFound, and Invalid when the value can be read. */
export function deleteUnreadable({ kind, admission, writer }: WriteContext, name: ObjectName, options: WriteOptions): Promise<void> {
  const { definition } = kind;
  const { signal, dryRun } = options;
  const key = objectKey(writer.definition, name);
  return writer.queue.run(key, signal, async (state) => {
    for (;;) {
      throwIfAborted(signal);
      const { record } = await writer.backend.get(key).catch(rethrowForClient);
      if (record === undefined) throw notFound(definition, name.name);
      if (isReadable(writer, record)) throw readable(definition, name.name);
      const nothing = { object: undefined, stored: undefined };
      await admission.validate({ operation: 'DELETE', definition, subresource: '', ...name, ...nothing, dryRun, signal });
      const result = await writer.backend.commit({ key, ifRevision: record.revision, value: null }).catch(rethrowForClient);
      if (result.outcome === 'unknown')
        throw requestTimeout('The storage did not confirm the delete: it may or may not have taken effect', result.cause);
      if (result.outcome === 'committed') {
        state.lastWrite = { revision: result.revision, object: undefined };
        return;
      }
    }
  });
}

/** Readable by the cache, for lists, and by the codec, for writes. */
function isReadable({ codec, encoding, resourceCache }: WriterOptions, record: StoredRecord): boolean {
  try {
    const { json } = readableRecord(encoding, record);
    resourceCache.resource.readAttributes(json);
    codec.decode(json);
    return true;
  } catch {
    return false;
  }
}

/** `details.kind` is the resource, since the request is at fault and not the object. */
const readable = ({ group, resource }: WriterOptions['definition'], name: string) =>
  invalid({ group, kind: resource }, name, [
    invalidValue(UNREADABLE_ONLY, true, 'is exclusively used to delete corrupt object(s), try again by removing this option'),
  ]);
