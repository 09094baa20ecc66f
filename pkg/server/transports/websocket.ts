/**
 * Watches over WebSocket (RFC 6455) for browsers. A request passes the chain as usual. A stream continues as a
 * WebSocket with one message per event; any other response is plain HTTP/1.1 and closes the connection.
 *
 * The chain decides who may open one, from which origin and on which paths (`filters/websocket-guard.ts`).
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { isBearerProtocol } from '../../authentication/websocket-token.ts';
import type { ClientCertificates } from './client-certificate.ts';
import { linger } from './http1-client-error.ts';
import { Http1Request } from './http1-request.ts';
import { writeHttp1Response } from './http1-response.ts';
import { ChunkFramer } from './http1-response-writer.ts';
import { nodeHttp } from './node-http.ts';
import { discardResponse, type Responder, type StreamResponse } from './request.ts';
import { FrameCutter, LineCutter } from './websocket-messages.ts';
import { WebSocketResponseWriter } from './websocket-response-writer.ts';

export interface WebSocketTransportOptions {
  readonly respond: Responder;
  /** Absent on the insecure port. */
  readonly certificates?: ClientCertificates;
}

const KEY = /^[A-Za-z0-9+/]{22}==$/;
const VERSION = '13';
/** Clients have nothing to send in a watch. Messages are dropped; larger ones end the connection. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Whether the connection may become a WebSocket. Other upgrades are normal requests, which the chain refuses. */
export const asksForWebSocket = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersion === '1.1' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === VERSION &&
  KEY.test(headers['sec-websocket-key'] ?? '');

export class WebSocketTransport {
  readonly #options: WebSocketTransportOptions;
  readonly #open = new Set<Socket>();
  /** Created on first use: most servers never need it. */
  #server: Promise<WebSocketServer> | undefined;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
  }

  /** For `upgrade` events that `asksForWebSocket` accepts, on connections without pending responses. */
  readonly upgrade = (message: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (!(socket instanceof Socket)) return; // never: the servers listen on TCP
    // Node no longer handles its errors.
    socket.on('error', () => socket.destroy());
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    void this.#serve(message, socket, head);
  };

  /** Closes all connections immediately. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Never rejects. */
  async #serve(message: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { respond, certificates } = this.#options;
    const response = new nodeHttp.ServerResponse(message);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // Node itself is answering a request before it, such as one without a Host, and nobody else may write.
      socket.destroy();
      return;
    }
    const answer = await respond(new Http1Request(message, response, certificates, 'websocket'));
    if ('stream' in answer && answer.code === 200) {
      const webSocket = await this.#accept(message, socket, head, answer);
      if (webSocket === undefined) return discardResponse(answer);
      return writeMessages(webSocket, socket, answer);
    }
    response.once('finish', () => {
      socket.end();
      linger(socket);
    });
    await writeHttp1Response(message, response, answer, { framer: new ChunkFramer(), close: true, awaitsContinue: false });
  }

  /** Undefined when the client disconnected or its handshake was not valid. */
  async #accept(message: IncomingMessage, socket: Socket, head: Buffer, { headers }: StreamResponse): Promise<WebSocket | undefined> {
    this.#server ??= openServer();
    const server = await this.#server;
    if (socket.destroyed) return undefined;
    const addHeaders = (lines: string[]) => {
      for (const [name, value] of Object.entries(headers)) if (!BODY_HEADERS.has(name)) lines.push(`${name}: ${String(value)}`);
    };
    let accepted: WebSocket | undefined;
    // Both are called synchronously.
    server.once('headers', addHeaders);
    server.handleUpgrade(message, socket, head, (webSocket) => (accepted = webSocket));
    server.off('headers', addHeaders);
    return accepted;
  }
}

/** Headers that describe the stream's body. */
const BODY_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length', 'Connection']);

async function openServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => [...offered].find((protocol) => !isBearerProtocol(protocol)) ?? false,
  });
}

async function writeMessages(webSocket: WebSocket, socket: Socket, { headers, stream }: StreamResponse): Promise<void> {
  webSocket.on('error', () => webSocket.terminate());
  const isJson = String(headers['Content-Type']).startsWith('application/json');
  const writer = new WebSocketResponseWriter(webSocket, socket, isJson ? new LineCutter() : new FrameCutter());
  try {
    await stream(writer);
    writer.end();
  } catch {
    writer.abort(); // logged by the chain
  }
}
