/** The native implementation of `EtcdChannel`. Reconnects with exponential backoff. */
import { StorageError } from '../../errors.ts';
import type { ChannelOptions, EtcdChannel, OpenChannel } from '../transport.ts';
import { Connection, TooManyPingsError } from './connection.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';

const CONNECT_TIMEOUT_MS = 5000;
const BACKOFF_MS = { first: 50, max: 1000, factor: 1.6 };

export const openNativeChannel: OpenChannel = (options) => {
  const endpoint = parseEndpoint(options.server, options.tls);
  if (endpoint === undefined) throw new StorageError('Unreachable', `${options.server}: not an http:// or https:// URL`);
  return new Channel({ ...options, endpoint });
};

export interface NativeChannelOptions extends Omit<ChannelOptions, 'server' | 'tls'> {
  readonly endpoint: Endpoint;
}

interface ConnectionWaiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class Channel implements EtcdChannel {
  readonly #options: NativeChannelOptions;
  /** The connection for new calls: connecting or ready. */
  #connection: Connection | undefined;
  /** All open connections, including retired ones with running calls. */
  readonly #connections = new Set<Connection>();
  readonly #waiters = new Set<ConnectionWaiter>();
  #backoffMs = BACKOFF_MS.first;
  #backoff: NodeJS.Timeout | undefined;
  #attempt: NodeJS.Timeout | undefined;
  /** Why the last connection attempt failed, or the last connection ended. */
  #failure: Error | undefined;
  #keepaliveMs: number;
  #closed = false;

  /** Connects on first use. */
  constructor(options: NativeChannelOptions) {
    this.#options = options;
    this.#keepaliveMs = options.keepaliveMs;
  }

  readyNow(): Connection | undefined {
    if (this.#connection?.ready === true) return this.#connection;
    this.#connect();
    return undefined;
  }

  ready(timeoutMs: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const ready = this.readyNow();
      if (ready !== undefined) resolve(ready);
      else if (this.#closed) reject(new Error('Channel closed'));
      else {
        const timer = setTimeout(() => {
          this.#waiters.delete(waiter);
          reject(this.#failure ?? this.#connection?.stallError ?? new Error('no connection attempt has completed'));
        }, timeoutMs);
        const waiter: ConnectionWaiter = { resolve, reject, timer };
        this.#waiters.add(waiter);
      }
    });
  }

  reset(reason: Error): void {
    for (const connection of [...this.#connections]) connection.destroy(reason);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#backoff);
    for (const connection of this.#connections) connection.close();
    for (const waiter of this.#takeWaiters()) waiter.reject(new Error('Channel closed'));
  }

  #connect(): void {
    if (this.#closed || this.#connection !== undefined || this.#backoff !== undefined) return;
    const { endpoint, callTimeoutMs, keepaliveTimeoutMs, streamWindowBytes } = this.#options;
    const connection = new Connection({
      endpoint,
      callTimeoutMs,
      keepaliveMs: this.#keepaliveMs,
      keepaliveTimeoutMs,
      streamWindowBytes,
      onReady: () => this.#onReady(connection),
      onRetired: (reason) => this.#onRetired(reason),
      onClosed: () => this.#connections.delete(connection),
    });
    this.#connection = connection;
    this.#connections.add(connection);
    this.#attempt = setTimeout(() => connection.destroy(connection.stallError), CONNECT_TIMEOUT_MS);
  }

  #onReady(connection: Connection): void {
    clearTimeout(this.#attempt);
    this.#attempt = undefined;
    this.#backoffMs = BACKOFF_MS.first;
    for (const waiter of this.#takeWaiters()) waiter.resolve(connection);
  }

  /** Every connection calls this once, while it is the current one. */
  #onRetired(reason: Error): void {
    this.#connection = undefined;
    this.#failure = reason;
    // Required by gRPC proposal A8.
    if (reason instanceof TooManyPingsError) this.#keepaliveMs *= 2;
    const failedAttempt = this.#attempt !== undefined;
    clearTimeout(this.#attempt);
    this.#attempt = undefined;
    if (this.#closed || !failedAttempt) return;
    this.#backoff = setTimeout(() => {
      this.#backoff = undefined;
      if (this.#waiters.size > 0) this.#connect();
    }, this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * BACKOFF_MS.factor, BACKOFF_MS.max);
  }

  #takeWaiters(): readonly ConnectionWaiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const { timer } of waiters) clearTimeout(timer);
    return waiters;
  }
}
