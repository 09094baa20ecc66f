/**
 * One listener's life: start, ready, drain, stop. A stop makes readyz red at once, takes no new connections, ends watches in good order,
 * and waits a bounded time for what runs.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server as TlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Clock } from '../apimachinery/time/clock.ts';
import { ClientCertificates } from './rims/client-certificate.ts';
import { createExpressRim } from './rims/express.ts';
import type { Responder } from './rims/request.ts';
import type { OpenRequests } from './shell/drain.ts';

export interface InsecureListenerOptions {
  readonly port: number;
  readonly respond: Responder;
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
}

export interface Listener {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Resolves when every connection is closed. What still runs after `graceMs` is cut. May be called twice. */
  stop(graceMs: number): Promise<void>;
}

export interface SecureListenerOptions {
  /** An address; 0.0.0.0 and :: are all. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly tls: TlsMaterial;
  readonly respond: Responder;
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
}

/** Each is PEM text. */
export interface TlsMaterial {
  /** The server's certificate, followed by those between it and its CA. */
  readonly cert: string;
  readonly key: string;
  /** PEM bundle; client certificates are verified against it. */
  readonly clientCa: string;
}

export interface SecureListener extends Listener {
  /** New connections use it. Throws, and changes nothing, when it does not fit together. */
  replaceTls(tls: TlsMaterial): void;
}

const MAX_HEADER_BYTES = 256 * 1024;
/** Slow senders: the head, and the whole request. */
const HEADERS_TIMEOUT_MS = 32_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than clients keep idle connections, so that it is the client who closes and no request meets a closing connection. */
const KEEP_ALIVE_MS = 120_000;

const HTTP1_LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  noDelay: true,
  // Two Host headers become one that the loopback guard refuses, instead of the first alone.
  joinDuplicateHeaders: true,
};

/** Plain HTTP on loopback only. Rejects when the port cannot be had. */
export async function openInsecureListener({ port, respond, openRequests, clock }: InsecureListenerOptions): Promise<Listener> {
  const listener = createExpressRim({ respond, isDraining: () => openRequests.draining });
  const server = createServer(HTTP1_LIMITS, listener);
  // The body is asked for when a handler wants it: one that is refused is never sent.
  server.on('checkContinue', listener);
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'));
  await listen(server, '127.0.0.1', port);
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${boundPort(server, port)}`,
    stop: (graceMs) => {
      stopped ??= stop(server, openRequests, clock, graceMs);
      return stopped;
    },
  };
}

/** HTTPS. Rejects when the port cannot be had or the certificates do not fit together. */
export async function openSecureListener(options: SecureListenerOptions): Promise<SecureListener> {
  const { host, port, tls, respond, openRequests, clock } = options;
  const listener = createExpressRim({
    respond,
    certificates: new ClientCertificates(clock),
    isDraining: () => openRequests.draining,
  });
  const server = createTlsServer({ ...HTTP1_LIMITS, ...toContextOptions(tls), requestCert: true, rejectUnauthorized: false }, listener);
  server.on('checkContinue', listener);
  await listen(server, host, port);
  let stopped: Promise<void> | undefined;
  return {
    url: `https://${reachableHost(host)}:${boundPort(server, port)}`,
    replaceTls: (next) => server.setSecureContext(toContextOptions(next)),
    stop: (graceMs) => {
      stopped ??= stop(server, openRequests, clock, graceMs);
      return stopped;
    },
  };
}

/** What a client that stands on the same machine writes for the address that was bound. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

function toContextOptions({ cert, key, clientCa }: TlsMaterial) {
  // Without a CA of its own Node would take every client whom a public CA knows.
  if (!clientCa.includes('-----BEGIN CERTIFICATE-----')) throw new Error('the bundle of client CAs has no certificate');
  return { cert, key, ca: clientCa, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' } as const;
}

function boundPort(server: Server | TlsServer, asked: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : asked;
}

const listen = (server: Server | TlsServer, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });

async function stop(server: Server | TlsServer, openRequests: OpenRequests, clock: Clock, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  openRequests.drain();
  server.closeIdleConnections();
  const waiting = new AbortController();
  await Promise.race([openRequests.idle(), clock.sleep(graceMs, waiting.signal)]);
  waiting.abort();
  server.closeIdleConnections();
  // An answer that was just ended is still on its way to its reader.
  const flushing = new AbortController();
  await Promise.race([closed, clock.sleep(FLUSH_MS, flushing.signal)]);
  flushing.abort();
  server.closeAllConnections();
  await closed;
}

const FLUSH_MS = 500;
