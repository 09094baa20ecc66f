/** Errors for clients when the cache cannot show what was requested. */
import { groupDetail, type StatusCause, StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import { type Key, keyText } from '../storage/keys.ts';

/** The changes after `from` are no longer all known. */
export const expired = (from: Revision, oldest: Revision): StatusError =>
  new StatusError('Expired', `too old resource version: ${from} (${oldest})`);

/** History was lost while the stream was open. */
export const historyLost = (): StatusError => new StatusError('Expired', 'The resourceVersion for the provided watch is too old.');

const WAY_OUT =
  'Restore it, or delete the object with ignoreStoreReadErrorWithClusterBreakingPotential (feature gate AllowUnsafeMalformedObjectDeletion).';

/** An object exists but cannot be shown. */
export const unreadable = (key: Key): StatusError =>
  new StatusError('InternalError', `The stored value of ${keyText(key)} cannot be read. ${WAY_OUT}`);

/** More keys are not listed, as in Kubernetes. */
const MAX_UNREADABLE = 100;

/** The same for a list; clients would take a list without the objects for their deletion. One cause for each key. */
export function unreadableList(
  { resource, group }: { readonly resource: string; readonly group: string },
  keys: readonly Key[],
): StatusError {
  const causes: StatusCause[] = keys.slice(0, MAX_UNREADABLE).map((key) => ({
    reason: 'UnexpectedServerResponse',
    message: `The stored value cannot be read. ${WAY_OUT}`,
    field: keyText(key),
  }));
  if (keys.length > MAX_UNREADABLE) causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
  const name = group === '' ? resource : `${resource}.${group}`;
  return new StatusError('StorageReadError', `failed to read one or more ${name} from the storage`, {
    details: { name: 'list', ...groupDetail(group), kind: resource, causes },
  });
}

/** Initial events were requested at a future revision. */
export const tooLarge = (from: Revision, current: Revision): StatusError =>
  new StatusError('Timeout', `Timeout: Too large resource version: ${from}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
