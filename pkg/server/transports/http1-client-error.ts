/** Answers what Node's parser refuses or hands out, and closes connections without losing the answer on its way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LINGER_MS } from './transport-limits.ts';

/** Undefined: the connection is broken, there is nobody to answer. */
function refusalOf(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return '413 Payload Too Large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return code.startsWith('HPE_') ? '400 Bad Request' : undefined;
}

/** For the event `connect`: from there on the socket is nobody's but ours, its errors too. */
export function refuseConnect(_: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  linger(socket);
}

/** The `clientError` events of one server, and what is known of the answers before them. */
export class Http1ClientErrors {
  /** The newest answer of each connection. */
  readonly #newest = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();

  /** To be told of every request. */
  serving(socket: Duplex, response: ServerResponse): void {
    this.#newest.set(socket, response);
  }

  /** Whether an answer is still to come on the connection, or has not left it. */
  isAnswering(socket: Duplex): boolean {
    const newest = this.#newest.get(socket);
    return newest !== undefined && (newest.socket !== null || !newest.writableFinished);
  }

  readonly refuse = (error: Error, socket: Duplex): void => {
    if (this.#refused.has(socket)) return; // what still comes from it is no better
    this.#refused.add(socket);
    const refusal = refusalOf(error);
    const newest = this.#newest.get(socket);
    if (refusal === undefined) socket.destroy();
    else if (newest?.writableEnded === true && !newest.shouldKeepAlive)
      linger(socket); // it was the last one here
    else if (newest === undefined || newest.writableFinished) answer(socket, refusal);
    // A refusal must not look like a part of another answer: that one is waited for, if it is not half sent.
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
 * Closes a connection whose last bytes were handed over, after a while in which what still comes is dropped: a close
 * with unread bytes is a reset, which can destroy the answer before it is read (RFC 9112 section 9.6).
 */
export function linger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}
