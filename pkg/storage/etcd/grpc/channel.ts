/**
 * The way to one member: a connection that stands, or is made when somebody asks for it. After an attempt that failed the next one waits a
 * moment, and longer each time; who asks meanwhile waits with it.
 */
import { Connection, TooManyPingsError } from './connection.ts';
import type { Endpoint } from './endpoint.ts';

/** After this long an attempt is given up. */
const ATTEMPT_MS = 5000;
const BACKOFF_MS = { first: 50, most: 1000, factor: 1.6 };

export interface ChannelOptions {
  readonly endpoint: Endpoint;
  readonly callTimeoutMs: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /** As of a connection. */
  readonly streamWindowBytes?: number | undefined;
}

interface Waiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class Channel {
  readonly #options: ChannelOptions;
  /** Takes calls, or will. */
  #connection: Connection | undefined;
  /** With those whose last calls still run. */
  readonly #living = new Set<Connection>();
  readonly #waiters = new Set<Waiter>();
  #backoffMs = BACKOFF_MS.first;
  #backoff: NodeJS.Timeout | undefined;
  #attempt: NodeJS.Timeout | undefined;
  /** Of the last attempt that is over. */
  #failure: Error | undefined;
  #keepaliveMs: number;
  #closed = false;

  /** Connects to nobody yet. */
  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#keepaliveMs = options.keepaliveMs;
  }

  /** The connection, if it stands; else one is being made from now on. */
  readyNow(): Connection | undefined {
    if (this.#connection?.ready === true) return this.#connection;
    this.#connect();
    return undefined;
  }

  /** Rejects with the reason when none stands after `timeoutMs`, or the channel is closed. */
  ready(timeoutMs: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const ready = this.readyNow();
      if (ready !== undefined) resolve(ready);
      else if (this.#closed) reject(new Error('Channel closed'));
      else {
        const timer = setTimeout(() => {
          this.#waiters.delete(waiter);
          reject(this.#failure ?? this.#connection?.silence ?? new Error('no attempt has ended'));
        }, timeoutMs);
        const waiter: Waiter = { resolve, reject, timer };
        this.#waiters.add(waiter);
      }
    });
  }

  /** Calls that still run fail. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#backoff);
    for (const connection of this.#living) connection.close();
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
      onClosed: () => this.#living.delete(connection),
    });
    this.#connection = connection;
    this.#living.add(connection);
    this.#attempt = setTimeout(() => connection.destroy(connection.silence), ATTEMPT_MS);
  }

  #onReady(connection: Connection): void {
    clearTimeout(this.#attempt);
    this.#attempt = undefined;
    this.#backoffMs = BACKOFF_MS.first;
    for (const waiter of this.#takeWaiters()) waiter.resolve(connection);
  }

  /** Only of the connection that takes calls: it does so once in its life. */
  #onRetired(reason: Error): void {
    this.#connection = undefined;
    this.#failure = reason;
    // As gRPC's proposal A8 has it.
    if (reason instanceof TooManyPingsError) this.#keepaliveMs *= 2;
    const failedAttempt = this.#attempt !== undefined;
    clearTimeout(this.#attempt);
    this.#attempt = undefined;
    if (this.#closed || !failedAttempt) return;
    this.#backoff = setTimeout(() => {
      this.#backoff = undefined;
      if (this.#waiters.size > 0) this.#connect();
    }, this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * BACKOFF_MS.factor, BACKOFF_MS.most);
  }

  #takeWaiters(): readonly Waiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const { timer } of waiters) clearTimeout(timer);
    return waiters;
  }
}
