/** The body of a streamed HTTP response. It has one owner; `write` never throws. */
export interface ResponseWriter {
  /** False if bytes are queued because the reader is slow; wait for `drained` to save memory. */
  write(bytes: Uint8Array): boolean;
  /** Writes all segments, possibly without copying; `byteLength` is their sum. If absent, concatenate them. */
  writeAll?(parts: readonly Uint8Array[], byteLength: number): boolean;
  /** Like `writeAll`, and also ends the response. If absent, the response ends when its writer is done. */
  endWith?(parts: readonly Uint8Array[], byteLength: number): boolean;
  /** `write` queues references, not copies, so a large write costs no memory if its bytes are shared. */
  readonly isZeroCopy?: boolean;
  /** Resolves when the queue is below its low-water mark, or the response has ended. */
  drained(): Promise<void>;
  /** Written bytes that the connection has not accepted yet. Bytes written before these are not read any more. */
  readonly queuedBytes: number;
  /** The client disconnected or the response has ended; writes are dropped. */
  readonly closed: boolean;
}
