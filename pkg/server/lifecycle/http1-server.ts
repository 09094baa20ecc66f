/** What the HTTP/1.1 servers of both ports have in common. */
import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { ExpressTransport } from '../transports/express.ts';
import { refuseConnect } from '../transports/http1-client-error.ts';
import { asksForWebSocket, type WebSocketTransport } from '../transports/websocket.ts';
import { MAX_HEADER_BYTES, type TransportLimits } from '../transports/transport-limits.ts';

/** A connection on which nothing was heard for so long is asked whether it lives. */
const TCP_PROBE_AFTER_MS = 30_000;

export const toHttp1Options = ({ headMs, requestMs, idleMs, sweepMs }: TransportLimits, transport: ExpressTransport) => ({
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: headMs,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  connectionsCheckingInterval: sweepMs,
  noDelay: true,
  // Of a client that vanished without a word the kernel finds out; a quiet watch would hold it for an hour.
  keepAlive: true,
  keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
  // Two Host headers become one that is refused, instead of the first alone.
  joinDuplicateHeaders: true,
  // A WebSocket takes the whole connection: behind a request that is not answered yet it is asked for in vain, and told
  // so in its turn.
  shouldUpgradeCallback: (message: IncomingMessage) => asksForWebSocket(message) && !transport.isAnswering(message.socket),
});

export function serveHttp1(server: Server | TlsServer, transport: ExpressTransport, webSockets: WebSocketTransport): void {
  server.on('request', transport.serve);
  server.on('checkContinue', transport.serve);
  server.on('clientError', transport.refuse);
  server.on('connect', refuseConnect);
  server.on('upgrade', webSockets.upgrade);
}

/** Rejects when the port cannot be had. Resolves with the port. */
export const listen = (server: Server | TlsServer, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
