/** Shared setup of the HTTP/1.1 servers of both ports. */
import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { ExpressTransport } from '../transports/express.ts';
import { refuseConnect } from '../transports/http1-client-error.ts';
import { asksForWebSocket, type WebSocketTransport } from '../transports/websocket.ts';
import { MAX_HEADER_BYTES, type TransportLimits } from '../transports/transport-limits.ts';

/** TCP keepalive probes start after this silence. */
const TCP_PROBE_AFTER_MS = 30_000;

export const toHttp1Options = ({ headMs, requestMs, idleMs, sweepMs }: TransportLimits, transport: ExpressTransport) => ({
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: headMs,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  connectionsCheckingInterval: sweepMs,
  noDelay: true,
  // Lets the kernel detect vanished clients; an idle watch would keep such a connection for an hour.
  keepAlive: true,
  keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
  // Joins repeated Host headers, so that they are refused; the default drops all but the first.
  joinDuplicateHeaders: true,
  // A WebSocket takes over the connection, so it is refused while an earlier request is not answered.
  shouldUpgradeCallback: (message: IncomingMessage) => asksForWebSocket(message) && !transport.isAnswering(message.socket),
});

export function serveHttp1(server: Server | TlsServer, transport: ExpressTransport, webSockets: WebSocketTransport): void {
  server.on('request', transport.serve);
  server.on('checkContinue', transport.serve);
  server.on('clientError', transport.refuse);
  server.on('connect', refuseConnect);
  server.on('upgrade', webSockets.upgrade);
}

/** Resolves with the port. Rejects when it is not available. */
export const listen = (server: Server | TlsServer, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
