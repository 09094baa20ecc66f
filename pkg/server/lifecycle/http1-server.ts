/** What the HTTP/1.1 servers of both ports have in common. */
import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { ExpressRim } from '../rims/express.ts';
import { refuseConnect } from '../rims/http1-client-error.ts';
import { asksForWebSocket } from '../rims/websocket.ts';
import type { WebSocketRim } from '../rims/websocket.ts';
import { MAX_HEADER_BYTES } from '../rims/transport-limits.ts';
import type { TransportLimits } from '../rims/transport-limits.ts';

/** A connection on which nothing was heard for so long is asked whether it lives. */
const TCP_PROBE_AFTER_MS = 30_000;

export const toHttp1Options = ({ headMs, requestMs, idleMs, sweepMs }: TransportLimits, rim: ExpressRim) => ({
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
  // A WebSocket takes the whole connection: behind a request that is not answered yet it is asked for in vain, and told so in its turn.
  shouldUpgradeCallback: (message: IncomingMessage) => asksForWebSocket(message) && !rim.isAnswering(message.socket),
});

export function serveHttp1(server: Server | TlsServer, rim: ExpressRim, webSockets: WebSocketRim): void {
  server.on('request', rim.serve);
  server.on('checkContinue', rim.serve);
  server.on('clientError', rim.refuse);
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
