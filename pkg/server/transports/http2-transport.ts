/** HTTP/2 on the HTTPS port, by `native-http2.ts` (on `pkg/http2`) or `node-http2.ts`, held by the same tests. */
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
  readonly connections: number;
  /** Open streams of all connections. */
  readonly streams: number;
  /** Takes over a connection with ALPN `h2`. */
  accept(socket: TLSSocket): void;
  /** Ends streams and connections that take too long. Must be called periodically. */
  sweep(): void;
  /** Sends GOAWAY on all connections, which close after their last stream. */
  closeGracefully(): void;
  /** Retires all connections, including new ones. */
  drain(): void;
  /** Closes all connections immediately. */
  destroy(): void;
}
