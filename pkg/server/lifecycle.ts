/**
 * One listener's life: start, ready, drain, stop. A stop makes readyz red at once, takes no new connections, ends watches in good order,
 * and waits a bounded time for what runs.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Clock } from '../apimachinery/time/clock.ts';
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

const MAX_HEADER_BYTES = 256 * 1024;
/** Slow senders: the head, and the whole request. */
const HEADERS_TIMEOUT_MS = 32_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than clients keep idle connections, so that it is the client who closes and no request meets a closing connection. */
const KEEP_ALIVE_MS = 120_000;

/** Plain HTTP on loopback only. Rejects when the port cannot be had. */
export async function openInsecureListener({ port, respond, openRequests, clock }: InsecureListenerOptions): Promise<Listener> {
  const listener = createExpressRim({ respond, secure: false, isDraining: () => openRequests.draining });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      // Two Host headers become one that the loopback guard refuses, instead of the first alone.
      joinDuplicateHeaders: true,
    },
    listener,
  );
  // The body is asked for when a handler wants it: one that is refused is never sent.
  server.on('checkContinue', listener);
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'));
  await listen(server, port);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${bound}`,
    stop: (graceMs) => {
      stopped ??= stop(server, openRequests, clock, graceMs);
      return stopped;
    },
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });

async function stop(server: Server, openRequests: OpenRequests, clock: Clock, graceMs: number): Promise<void> {
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
