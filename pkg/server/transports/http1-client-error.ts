/** Responds to requests that Node's parser rejects, and closes connections without losing the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LINGER_MS } from './transport-limits.ts';

/** Undefined: the connection is broken. */
function refusalOf(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return '413 Payload Too Large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return code.startsWith('HPE_') ? '400 Bad Request' : undefined;
}

/** For the event `connect`: Node leaves the socket and its errors to the listener. */
export function refuseConnect(_: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  linger(socket);
}

/** Handles `clientError` events, which must not interfere with earlier responses. */
export class Http1ClientErrors {
  /** The latest response of each connection. */
  readonly #newest = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();

  /** Must be called for every request. */
  serving(socket: Duplex, response: ServerResponse): void {
    this.#newest.set(socket, response);
  }

  /** Whether a response is pending or unsent on the connection. */
  isAnswering(socket: Duplex): boolean {
    const newest = this.#newest.get(socket);
    return newest !== undefined && (newest.socket !== null || !newest.writableFinished);
  }

  readonly refuse = (error: Error, socket: Duplex): void => {
    if (this.#refused.has(socket)) return; // the connection is already being closed
    this.#refused.add(socket);
    const refusal = refusalOf(error);
    const newest = this.#newest.get(socket);
    if (refusal === undefined) socket.destroy();
    else if (newest?.writableEnded === true && !newest.shouldKeepAlive)
      linger(socket); // after the last response
    else if (newest === undefined || newest.writableFinished) answer(socket, refusal);
    // The refusal must not mix with another response: waits for one that is pending, closes if one is half sent.
    else if (newest.headersSent && !newest.writableEnded) socket.destroy();
    else if (newest.req.complete) newest.once('finish', () => answer(socket, refusal));
    else if (newest.socket === socket) answer(socket, refusal);
    else socket.destroy();
  };
}

function answer(socket: Duplex, refusal: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const text = `${refusal.slice(4)}\n`;
  socket.end(
    `HTTP/1.1 ${refusal}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
  linger(socket);
}

/**
 * Closes a connection after its last response, and drops incoming bytes for a while first: closing with unread bytes
 * sends a reset, which can destroy the response (RFC 9112 section 9.6).
 */
export function linger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}
