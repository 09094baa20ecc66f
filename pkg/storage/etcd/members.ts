/**
 * The members of one etcd cluster, of which the one that answers is used. Each is reached by a way of its own: calls and watches have different
 * ones, because a range of many MB must not stand in the way of a watch.
 */
import { StorageError } from '../errors.ts';
import type { Channel } from './grpc/channel.ts';
import type { Connection } from './grpc/connection.ts';

/** How long a call waits for a connection before it is certain that it was not sent. */
const CONNECT_MS = 3000;

export const closed = (): StorageError => new StorageError('Closed', 'the etcd backend is closed');

/** To one member. */
export interface Way {
  readonly server: string;
  readonly channel: Pick<Channel, 'readyNow' | 'ready' | 'close'>;
}

export class Members {
  readonly #ways: readonly Way[];
  readonly #connectMs: number;
  /** Index of the member that is asked first; moves on when it fails. */
  #preferred = 0;
  #waiting: Promise<Connection> | undefined;
  #closed = false;

  /** Connects to nobody yet. Nobody waits for a connection for longer than `timeoutMs`. */
  constructor(ways: readonly Way[], timeoutMs: number) {
    this.#ways = ways;
    this.#connectMs = Math.min(timeoutMs, CONNECT_MS);
  }

  /** The connection to the preferred member, if it stands. Throws Closed. */
  readyNow(): Connection | undefined {
    if (this.#closed) throw closed();
    return this.#ways[this.#preferred]?.channel.readyNow();
  }

  /** The first one that stands; its member becomes the preferred one. Callers of one moment share the wait. Rejects with Unreachable or Closed. */
  ready(): Promise<Connection> {
    this.#waiting ??= this.#firstReady().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  /** Of the preferred member, to tell whether it still is when a call over its connection fails. */
  get preferred(): number {
    return this.#preferred;
  }

  /** The preferred member failed: another is asked next. */
  moveOn(): void {
    this.#preferred = (this.#preferred + 1) % this.#ways.length;
  }

  close(): void {
    this.#closed = true;
    for (const way of this.#ways) way.channel.close();
  }

  async #firstReady(): Promise<Connection> {
    const reasons: string[] = [];
    const waits = this.#ways.map(async (way, index) => {
      try {
        return { connection: await way.channel.ready(this.#connectMs), index };
      } catch (error) {
        reasons.push(`${way.server}: ${reasonOf(error)}`);
        throw error;
      }
    });
    try {
      const { connection, index } = await Promise.any(waits);
      this.#preferred = index;
      return connection;
    } catch (error) {
      if (this.#closed) throw closed();
      throw new StorageError('Unreachable', `no etcd answers (${reasons.join('; ')})`, { cause: error });
    }
  }
}

/** Errors of sockets need not be of this realm's classes. */
const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
