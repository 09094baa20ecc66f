/** A connection that requests are written to as they are; what comes back goes to the handler it was opened with. */
export interface RawConnection {
  readonly write: (text: string) => void;
  readonly destroy: () => void;
}

/** PEM texts. */
export interface Credentials {
  readonly ca: string;
  /** Absent, as the key: the server asks for none. */
  readonly cert?: string;
  readonly key?: string;
  /** Sent as a bearer token with each request. */
  readonly token?: string;
}
