/** The failures of a backend. The registry maps each code to a client error. */
export type StorageErrorCode =
  /** The requested revision is older than the retained history. */
  | 'Compacted'
  /** The requested revision does not exist yet. */
  | 'Future'
  /** The store did not respond in time, or refused the connection. */
  | 'Unreachable'
  /** The key or value is larger than the store accepts. Nothing was written. */
  | 'TooLarge'
  /** The store is full or failed to write, and refuses writes until it is repaired. Nothing was written. */
  | 'ReadOnly'
  /** Another store, or an older state of it, responds now. What was read before may be wrong. */
  | 'Replaced'
  /** The store refuses these credentials. */
  | 'Denied'
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
