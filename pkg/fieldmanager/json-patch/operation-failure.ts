/**
 * The reason why an operation failed. The caller, which knows the index of the operation, turns it into a StatusError.
 */
export class OperationFailure extends Error {
  /** The patch needs more work than one request may cause. */
  readonly exceedsWorkLimit: boolean;

  constructor(why: string, exceedsWorkLimit = false) {
    super(why);
    this.name = 'OperationFailure';
    this.exceedsWorkLimit = exceedsWorkLimit;
  }
}
