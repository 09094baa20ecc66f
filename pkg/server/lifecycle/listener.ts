/** The lifecycle of a listener. Stopping fails readyz, refuses connections, ends watches, and waits for requests. */
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { listen, serveHttp1, toHttp1Options } from './http1-server.ts';
import { createSecurePort } from './secure-port.ts';
import { DEFAULT_TLS_SETTINGS, type TlsMaterial, type TlsSettings } from './tls-contexts.ts';
import { ClientCertificates } from '../transports/client-certificate.ts';
import { createExpressTransport } from '../transports/express.ts';
import { createHttp2Transport } from '../transports/create-http2-transport.ts';
import type { Http2Implementation, Http2Transport } from '../transports/http2-transport.ts';
import { nodeHttp } from '../transports/node-http.ts';
import type { Responder } from '../transports/request.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from '../transports/transport-limits.ts';
import { WebSocketTransport } from '../transports/websocket.ts';
import type { OpenRequests } from '../filters/drain.ts';

export type { TlsMaterial } from './tls-contexts.ts';

export interface InsecureListenerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly respond: Responder;
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
  readonly limits?: TransportLimits;
}

export interface SecureListenerOptions extends InsecureListenerOptions {
  /** An address. 0.0.0.0 and :: mean all. */
  readonly host: string;
  readonly tls: TlsMaterial;
  readonly tlsSettings?: TlsSettings;
  /** The implementation of HTTP/2; `off` serves only HTTP/1.1. */
  readonly http2?: Http2Implementation | 'off';
}

export interface Listener {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  connections(): Promise<OpenConnections>;
  /** Resolves when all connections are closed. Requests still open after `graceMs` are aborted. Can be called twice. */
  stop(graceMs: number): Promise<void>;
}

export interface OpenConnections {
  /** TCP connections, including those in the TLS handshake. */
  readonly sockets: number;
  readonly http2Connections: number;
  readonly http2Streams: number;
}

export interface SecureListener extends Listener {
  /**
   * Applies to new connections. Throws, without effect, when a certificate and its key do not match. With another
   * client CA, existing connections close after their open requests, so that clients are verified again.
   */
  replaceTls(tls: TlsMaterial): void;
}

/** Plain HTTP on loopback only. Rejects when the port is not available. */
export async function openInsecureListener(options: InsecureListenerOptions): Promise<Listener> {
  const { port, respond, openRequests, limits = TRANSPORT_LIMITS } = options;
  const http1 = createExpressTransport({ respond, isDraining: () => openRequests.draining, unsentMs: limits.unsentMs });
  const webSockets = new WebSocketTransport({ respond });
  const server = nodeHttp.createServer(toHttp1Options(limits, http1));
  serveHttp1(server, http1, webSockets);
  const bound = await listen(server, '127.0.0.1', port);
  return openListener({ ...options, server, url: `http://127.0.0.1:${bound}`, sweep: () => http1.sweep(), webSockets });
}

/** HTTPS, HTTP/2 and HTTP/1.1. Rejects when the port is not available or certificate and key do not match. */
export async function openSecureListener(options: SecureListenerOptions): Promise<SecureListener> {
  const { host, port, tls, respond, openRequests, clock, limits = TRANSPORT_LIMITS } = options;
  const { http2: implementation = 'native', tlsSettings: settings = DEFAULT_TLS_SETTINGS } = options;
  const certificates = new ClientCertificates(clock, tls);
  const http1 = createExpressTransport({ respond, certificates, isDraining: () => openRequests.draining, unsentMs: limits.unsentMs });
  const http2 = implementation === 'off' ? undefined : await createHttp2Transport(implementation, { respond, certificates, clock, limits });
  const webSockets = new WebSocketTransport({ respond, certificates });
  const { server, abortHandshakes, replaceTls } = createSecurePort({ tls, settings, http1, http2, webSockets, certificates, limits });
  const bound = await listen(server, host, port);
  const sweep = () => {
    http1.sweep();
    http2?.sweep();
  };
  const listener = openListener({
    openRequests,
    clock,
    limits,
    server,
    url: `https://${reachableHost(host)}:${bound}`,
    sweep,
    ...(http2 === undefined ? {} : { http2 }),
    webSockets,
    abortHandshakes,
  });
  let { clientCa, proxyCa } = tls;
  return {
    ...listener,
    replaceTls: (next) => {
      replaceTls(next);
      if (next.clientCa === clientCa && next.proxyCa === proxyCa) return;
      ({ clientCa, proxyCa } = next);
      certificates.caChanged(next);
      http2?.closeGracefully();
      server.closeIdleConnections();
    },
  };
}

/** The host for clients on the same machine. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

interface OpenServer {
  readonly server: Server | TlsServer;
  readonly url: string;
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
  readonly limits?: TransportLimits;
  readonly sweep: () => void;
  readonly webSockets: WebSocketTransport;
  readonly http2?: Http2Transport;
  readonly abortHandshakes?: () => void;
}

function openListener(open: OpenServer): Listener {
  const { server, url, limits = TRANSPORT_LIMITS, http2 } = open;
  const sweeping = setInterval(open.sweep, limits.sweepMs).unref();
  let stopped: Promise<void> | undefined;
  return {
    url,
    connections: () =>
      new Promise((resolve) => {
        server.getConnections((_, sockets) =>
          resolve({ sockets, http2Connections: http2?.connections ?? 0, http2Streams: http2?.streams ?? 0 }),
        );
      }),
    stop: (graceMs) => {
      stopped ??= stop(open, graceMs).finally(() => clearInterval(sweeping));
      return stopped;
    },
  };
}

async function stop({ server, openRequests, clock, http2, webSockets, abortHandshakes }: OpenServer, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  openRequests.drain();
  abortHandshakes?.();
  http2?.drain();
  server.closeIdleConnections();
  const waiting = new AbortController();
  await Promise.race([openRequests.idle(), clock.sleep(graceMs, waiting.signal)]);
  waiting.abort();
  server.closeIdleConnections();
  // Responses that just ended may not have been sent yet.
  const flushing = new AbortController();
  await Promise.race([closed, clock.sleep(FLUSH_MS, flushing.signal)]);
  flushing.abort();
  http2?.destroy();
  webSockets.destroy();
  server.closeAllConnections();
  await closed;
}

const FLUSH_MS = 500;
