/**
 * Where a stream's bytes go: an HTTP response, seen as narrowly as the writers of long answers need it.
 * One owner writes; `write` never throws.
 */
export interface ResponseWriter {
  /** False: the reader is slow; bytes are queued, and `drained` says when to go on. Writing all the same is allowed and costs memory. */
  write(bytes: Uint8Array): boolean;
  /** As one write of the pieces joined, which it need not copy; `byteLength` is theirs together. Absent: it has to be given joined bytes. */
  writeAll?(pieces: readonly Uint8Array[], byteLength: number): boolean;
  /** The same, and nothing more is written: the reader gets the end together with it. Absent: the end comes when the writer is done. */
  endWith?(pieces: readonly Uint8Array[], byteLength: number): boolean;
  /** True: what is written is not copied while it waits, so that much at once costs no memory when others hold it too. */
  readonly keepsReferences?: boolean;
  /** Resolves when queued bytes are below the mark again, or at once when nothing is queued. Also resolves when the writer is gone. */
  drained(): Promise<void>;
  /** Bytes written but not yet taken by the reader's connection. */
  readonly queuedBytes: number;
  /** True once the reader is gone or the writer was ended; writes are dropped then. */
  readonly closed: boolean;
}
