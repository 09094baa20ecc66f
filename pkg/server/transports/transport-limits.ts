/** Resource limits of connections, for both protocols. Only tests change the times. */
export interface TransportLimits {
  /** TLS handshake. */
  readonly handshakeMs: number;
  /** Request head in HTTP/1.1; first request of a connection in HTTP/2. */
  readonly headMs: number;
  /** First to last byte of a request. */
  readonly requestMs: number;
  /**
   * Time without requests. Longer than the idle time of clients, so that they close first and no request meets a
   * closing connection.
   */
  readonly idleMs: number;
  /** From the end of a response until the client has read it. Responses in progress have their own deadlines. */
  readonly unsentMs: number;
  /** Interval of the checks, which may extend the times above. */
  readonly sweepMs: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  handshakeMs: 10_000,
  headMs: 32_000,
  requestMs: 60_000,
  idleMs: 120_000,
  unsentMs: 60_000,
  sweepMs: 5000,
};

/** Request head including the request line. */
export const MAX_HEADER_BYTES = 256 * 1024;
/** For HTTP/2, where one byte can stand for a field. */
export const MAX_HEADER_FIELDS = 256;
/** Time for the last response to arrive before its connection closes, as in Go's server. */
export const LINGER_MS = 500;
