/**
 * The body of an HTTP response while it is streamed, as far as the writers of long responses need it. One owner writes; `write` never throws.
 */
export interface ResponseWriter {
  /** False: the reader is slow, bytes are queued, and `drained` says when to go on. Writing nevertheless is allowed and costs memory. */
  write(bytes: Uint8Array): boolean;
  /** One write of all parts, which need not be copied; `byteLength` is their sum. Absent: join the parts and call `write`. */
  writeAll?(parts: readonly Uint8Array[], byteLength: number): boolean;
  /** As `writeAll`, and ends the response with it. Absent: the response ends when its writer is done. */
  endWith?(parts: readonly Uint8Array[], byteLength: number): boolean;
  /** True: queued bytes are not copied, so that a large write costs no memory when others hold the bytes too. */
  readonly keepsReferences?: boolean;
  /** Resolves when the queue is below its mark, or the response is over. */
  drained(): Promise<void>;
  /** Bytes written that the reader's connection has not taken yet. */
  readonly queuedBytes: number;
  /** The reader is gone, or the response was ended: writes are dropped. */
  readonly closed: boolean;
}
