/** A watch over WebSocket. Backpressure comes from the connection. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { DrainWaiters } from './drain-waiters.ts';
import type { MessageCutter } from './websocket-messages.ts';

/** RFC 6455 section 7.4.1. */
const NORMAL_CLOSURE = 1000;

export class WebSocketResponseWriter implements ResponseWriter {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #cutter: MessageCutter;
  readonly #waiters: DrainWaiters;
  #ended = false;

  /** `socket`: the transport of `webSocket`. */
  constructor(webSocket: WebSocket, socket: Socket, cutter: MessageCutter) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#cutter = cutter;
    this.#waiters = new DrainWaiters(socket);
  }

  get closed(): boolean {
    return this.#ended || this.#webSocket.readyState !== this.#webSocket.OPEN;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    const { binary } = this.#cutter;
    for (const message of this.#cutter.cut(bytes)) this.#webSocket.send(message, { binary });
    return !this.#socket.writableNeedDrain;
  }

  drained(): Promise<void> {
    return this.closed ? Promise.resolve() : this.#waiters.drained();
  }

  /** Ends the watch normally. */
  end(): void {
    this.#release();
    this.#webSocket.close(NORMAL_CLOSURE);
  }

  /** The client sees a broken connection. */
  abort(): void {
    this.#release();
    this.#webSocket.terminate();
  }

  #release(): void {
    this.#ended = true;
    this.#waiters.release();
  }
}
