/** One call with one message each way. */
export interface Unary<Answer> {
  /** `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Of bytes that are the answer's own. What it throws fails the call. */
  readonly decode: (buffer: Buffer) => Answer;
}
