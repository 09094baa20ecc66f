/**
 * Failures of a backend: a closed set of codes. The registry maps each to what a client sees, by one exhaustive switch.
 */
export type StorageErrorCode =
  /** The asked revision is older than the retained history. */
  | 'Compacted'
  /** The asked revision has not happened yet. */
  | 'Future'
  /** The store did not answer in time, or refused the connection. Nothing is known to be wrong with the data. */
  | 'Unreachable'
  /** The value is larger than the store takes. Nothing was written. */
  | 'TooLarge'
  /** The store is full or failed to write, and takes no writes until it is mended. Nothing was written. */
  | 'ReadOnly'
  /** Another store, or an older state of the same store, answers now: what was read before may not be true. */
  | 'Replaced'
  /** The store refuses these credentials. */
  | 'Denied'
  /** The backend is closed. */
  | 'Closed';

export class StorageError extends Error {
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

export const isStorageError = (error: unknown, code?: StorageErrorCode): error is StorageError =>
  error instanceof StorageError && (code === undefined || error.code === code);
