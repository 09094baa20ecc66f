/** One call with one message each way. */
export interface Unary<Answer> {
  /** `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Where the answer goes. Absent: into memory of its own. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
  /** Of the bytes of the answer. What it throws fails the call. */
  readonly decode: (buffer: Buffer) => Answer;
}
