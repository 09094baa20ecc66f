/** What a connection may cost, on both protocols. Tests shorten the times; nobody else has a reason to. */
export interface TransportLimits {
  /** From the start of a connection to the end of its TLS handshake. */
  readonly handshakeMs: number;
  /** Slow heads: the request line and headers of HTTP/1.1; on HTTP/2 the first request of a connection. */
  readonly headMs: number;
  /** Slow bodies: from the first byte of a request to the last. */
  readonly requestMs: number;
  /**
   * Without any request. Longer than clients keep idle connections, so that it is the client who closes and no request
   * meets a closing connection.
   */
  readonly idleMs: number;
  /**
   * From the end of an answer until the reader has taken it. Answers that are still being made have deadlines of their
   * own.
   */
  readonly unsentMs: number;
  /** How often connections are looked at: a time above may be passed by this much. */
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

/** Of a request's head, with the request line. */
export const MAX_HEADER_BYTES = 256 * 1024;
/** On HTTP/2, where one byte may stand for a field. */
export const MAX_HEADER_FIELDS = 256;
/** Of one write: a connection's queue is shared by its streams. */
export const MAX_WRITE_BYTES = 256 * 1024;
/** Between an answer that ends a connection and its close, for the answer to arrive; as Go's server waits. */
export const LINGER_MS = 500;
