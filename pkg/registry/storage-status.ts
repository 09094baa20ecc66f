/** Maps storage errors to errors for clients. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import { isStorageError, type StorageError } from '../storage/errors.ts';

const RETRY_SOON = { retryAfterSeconds: 1 } as const;

export function storageStatus(error: StorageError): StatusError {
  const unavailable = (message: string) => new StatusError('ServiceUnavailable', message, { details: RETRY_SOON, cause: error });
  switch (error.code) {
    case 'Compacted':
      return new StatusError('Expired', 'The requested resourceVersion is too old: its history was compacted', { cause: error });
    case 'Future':
      return tooLargeResourceVersion(undefined, undefined, error);
    case 'Unreachable':
      return unavailable('The storage cannot be reached');
    case 'TooLarge':
      return new StatusError('RequestEntityTooLarge', 'The object is too large for the storage', { cause: error });
    case 'ReadOnly':
      return unavailable('The storage is read-only');
    case 'Replaced':
      return unavailable('The storage was replaced and is being read again');
    case 'Denied':
      return new StatusError('InternalError', 'The storage refuses the credentials of this server', { cause: error });
    case 'Closed':
      return unavailable('The server is shutting down');
    default:
      return error.code satisfies never;
  }
}

/** For `catch`: throws storage errors as what clients see, and others unchanged. */
export function rethrowForClient(error: unknown): never {
  throw isStorageError(error) ? storageStatus(error) : error;
}

/** A future revision did not arrive in time. Clients recognize the cause and retry. */
export function tooLargeResourceVersion(requested?: Revision, current?: Revision, cause?: unknown): StatusError {
  const message =
    requested === undefined ? 'Too large resource version' : `Too large resource version: ${requested}, current: ${current ?? 0}`;
  return new StatusError('Timeout', message, {
    details: { ...RETRY_SOON, causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
    cause,
  });
}

export const requestTimeout = (message: string, cause?: unknown): StatusError =>
  new StatusError('Timeout', message, { details: RETRY_SOON, cause });

export const requestEnded = (signal: AbortSignal): StatusError => requestTimeout('The request ended before it was answered', signal.reason);

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw requestEnded(signal);
}
