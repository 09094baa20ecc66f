/** Why an operation cannot be done. It becomes a StatusError where it is known which operation of the patch it is. */
export class OperationFailure extends Error {
  /** The patch asks for more work than one request may cause. */
  readonly tooMuch: boolean;

  constructor(why: string, tooMuch = false) {
    super(why);
    this.name = 'OperationFailure';
    this.tooMuch = tooMuch;
  }
}
