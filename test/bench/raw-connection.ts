/** A connection that requests are written to as they are; what comes back goes to the handler it was opened with. */
export interface RawConnection {
  readonly write: (text: string) => void;
  readonly destroy: () => void;
}
