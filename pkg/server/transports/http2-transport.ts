/**
 * The HTTP/2 side of the HTTPS port. Two implementations under one suite of tests: `native-http2.ts`, on `pkg/http2`,
 * and `node-http2.ts`.
 */
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ClientCertificates } from './client-certificate.ts';
import type { Responder } from './request.ts';
import type { TransportLimits } from './transport-limits.ts';

export const HTTP2_IMPLEMENTATIONS = ['native', 'node'] as const;
export type Http2Implementation = (typeof HTTP2_IMPLEMENTATIONS)[number];

export interface Http2TransportOptions {
  readonly respond: Responder;
  readonly certificates: ClientCertificates;
  readonly clock: Clock;
  readonly limits: TransportLimits;
}

export interface Http2Transport {
  /** Open connections. */
  readonly connections: number;
  /** Open streams of all connections. */
  readonly streams: number;
  /** Takes over a connection whose ALPN is `h2`. */
  accept(socket: TLSSocket): void;
  /** Ends what takes too long. To be called every now and then. */
  sweep(): void;
  /**
   * Tells every client to make another connection for new requests (GOAWAY); one of now closes when its last stream has
   * ended.
   */
  retire(): void;
  /** Retires every connection, those to come too. */
  drain(): void;
  /** Cuts every connection. */
  destroy(): void;
}
