/** Errors for clients when the cache cannot show what was requested. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import { type Key, keyText } from '../storage/keys.ts';

/** The changes after `from` are no longer all known. */
export const expired = (from: Revision, oldest: Revision): StatusError =>
  new StatusError('Expired', `too old resource version: ${from} (${oldest})`);

/** History was lost while the stream was open. */
export const historyLost = (): StatusError => new StatusError('Expired', 'The resourceVersion for the provided watch is too old.');

/** An object exists but cannot be shown. Clients would interpret a list without it as a deletion. */
export const unreadable = (key: Key): StatusError =>
  new StatusError(
    'InternalError',
    `The stored value of ${keyText(key)} cannot be read. Restore it, or delete the object with ignoreStoreReadErrorWithClusterBreakingPotential (feature gate AllowUnsafeMalformedObjectDeletion).`,
  );

/** Initial events were requested at a future revision. */
export const tooLarge = (from: Revision, current: Revision): StatusError =>
  new StatusError('Timeout', `Timeout: Too large resource version: ${from}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
