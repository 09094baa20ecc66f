/** A connection that requests are written to as they are; what comes back goes to the handler it was opened with. */
export interface RawConnection {
  readonly write: (text: string) => void;
  readonly destroy: () => void;
}

// A read's callback runs before the next read begins, so that one buffer serves every socket of the process.
const readBuffer = Buffer.allocUnsafeSlow(1024 * 1024);

/** Options of a socket that allocates nothing per read. `bytes` are valid during the call only. */
export const withSharedReads = <Options>(options: Options, onBytes: (bytes: Buffer) => void) => ({
  ...options,
  onread: {
    buffer: readBuffer,
    callback: (length: number) => {
      onBytes(readBuffer.subarray(0, length));
      return true;
    },
  },
});

/** PEM texts. */
export interface Credentials {
  readonly ca: string;
  /** Absent, as the key: the server asks for none. */
  readonly cert?: string;
  readonly key?: string;
  /** Sent as a bearer token with each request. */
  readonly token?: string;
}
