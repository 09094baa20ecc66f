/** The reason why an operation failed. The caller converts it to a StatusError with the index of the operation. */
export class OperationFailure extends Error {
  /** The patch needs more work than one request may cause. */
  readonly exceedsWorkLimit: boolean;

  constructor(why: string, exceedsWorkLimit = false) {
    super(why);
    this.name = 'OperationFailure';
    this.exceedsWorkLimit = exceedsWorkLimit;
  }
}
