import type { TLSSocket } from 'node:tls';
import type { Http2Transport } from './http2-transport.ts';

export interface Http2Connection {
  /** Open streams. */
  readonly streams: number;
  /** Ends what takes too long. `now`: monotonic milliseconds. */
  sweep(now: number): void;
  drain(): void;
  destroy(): void;
}

export interface Http2Connector {
  readonly connect: (socket: TLSSocket, onClosed: () => void) => Http2Connection;
  /** Frees shared memory that is not in use. */
  readonly trim?: () => void;
}

/** The connections of one listener, for both implementations of HTTP/2. */
export class Http2Connections implements Http2Transport {
  readonly #connector: Http2Connector;
  readonly #open = new Set<Http2Connection>();
  #draining = false;

  constructor(connector: Http2Connector) {
    this.#connector = connector;
  }

  get connections(): number {
    return this.#open.size;
  }

  get streams(): number {
    let streams = 0;
    for (const connection of this.#open) streams += connection.streams;
    return streams;
  }

  accept(socket: TLSSocket): void {
    const connection = this.#connector.connect(socket, () => this.#open.delete(connection));
    this.#open.add(connection);
    if (this.#draining) connection.drain();
  }

  sweep(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.sweep(now);
    this.#connector.trim?.();
  }

  closeGracefully(): void {
    for (const connection of this.#open) connection.drain();
  }

  drain(): void {
    this.#draining = true;
    this.closeGracefully();
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy();
  }
}
