/** A TCP proxy on loopback for tests of a bad network: it cuts, delays, black-holes and swallows replies. */
import { connect, createServer, type Socket } from 'node:net';
import { freePorts } from './free-port.ts';

export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** Open connections. */
  readonly connections: number;
  /** Bytes that the far end has sent so far, swallowed ones included. */
  readonly replyBytes: number;
  /** Ends all connections with a reset. New ones are taken. */
  cut(): void;
  /**
   * Resets each connection that has brought this many more bytes of replies from now on, once per connection.
   * `undefined`: no more.
   */
  cutAfterReplies(bytes: number | undefined): void;
  /** Takes new connections, or resets them at once. */
  accept(accept: boolean): void;
  /**
   * Nothing passes in either direction while true, and no end notices; what comes meanwhile is lost. Such connections
   * must be cut.
   */
  blackHole(on: boolean): void;
  /**
   * Of the connections that are open now nothing passes any more, and no end notices, as when a router forgets them.
   * New ones work.
   */
  strand(): void;
  /** Requests pass, replies are lost. Such connections must be cut. */
  swallowReplies(on: boolean): void;
  /** Everything passes this much later, in order. */
  delay(ms: number): void;
  /**
   * Replies wait here while true, and pass in order afterwards. Nothing is lost. `connection`: only those of this one,
   * counted from 0 in the order of opening (an etcd backend calls over its first and watches over its second).
   */
  holdReplies(on: boolean, connection?: number): void;
  close(): Promise<void>;
}

interface Pair {
  /** How many were opened before. */
  readonly number: number;
  readonly near: Socket;
  readonly far: Socket;
  readonly toNear: Lane;
  readonly toFar: Lane;
  replies: number;
  isStranded: boolean;
}

/** One direction of a connection. What comes later never overtakes, also when the delay becomes shorter. */
class Lane {
  readonly #to: Socket;
  readonly #waiting: { readonly chunk: Buffer; readonly due: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(to: Socket) {
    this.#to = to;
  }

  pass(chunk: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#waiting.length === 0) {
      this.#write(chunk);
      return;
    }
    const before = this.#waiting.at(-1)?.due ?? 0;
    this.#waiting.push({ chunk, due: Math.max(before, performance.now() + delayMs) });
    this.#timer ??= setTimeout(this.#release, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  readonly #release = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    let next = this.#waiting.shift();
    for (; next !== undefined && next.due <= now; next = this.#waiting.shift()) this.#write(next.chunk);
    if (next === undefined) return;
    this.#waiting.unshift(next);
    this.#timer = setTimeout(this.#release, Math.ceil(next.due - now));
  };

  #write(chunk: Buffer): void {
    if (!this.#to.destroyed) this.#to.write(chunk);
  }
}

export async function openTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let accepting = true;
  let hole = false;
  let swallowing = false;
  let holding = false;
  let delayMs = 0;
  let limit: number | undefined;
  let replyBytes = 0;
  let opened = 0;

  const reset = (pair: Pair): void => {
    pairs.delete(pair);
    pair.toNear.stop();
    pair.toFar.stop();
    pair.near.resetAndDestroy();
    pair.far.resetAndDestroy();
  };
  const reply = (pair: Pair, chunk: Buffer): void => {
    replyBytes += chunk.length;
    pair.replies += chunk.length;
    if (hole || swallowing || pair.isStranded) return;
    if (limit !== undefined && pair.replies > limit) reset(pair);
    else pair.toNear.pass(chunk, delayMs);
  };

  const server = createServer((near) => {
    if (!accepting) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    near.setNoDelay(true);
    far.setNoDelay(true);
    const pair: Pair = { number: opened++, near, far, toNear: new Lane(near), toFar: new Lane(far), replies: 0, isStranded: false };
    pairs.add(pair);
    near.on('data', (chunk: Buffer) => {
      if (!hole && !pair.isStranded) pair.toFar.pass(chunk, delayMs);
    });
    far.on('data', (chunk: Buffer) => reply(pair, chunk));
    if (holding) far.pause();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {
        if (!hole && !pair.isStranded) reset(pair);
      });
      one.on('close', () => {
        if (hole || pair.isStranded) return;
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    host: '127.0.0.1',
    port,
    get connections() {
      return pairs.size;
    },
    get replyBytes() {
      return replyBytes;
    },
    cut: () => {
      for (const pair of [...pairs]) reset(pair);
    },
    cutAfterReplies: (bytes) => {
      limit = bytes;
      for (const pair of pairs) pair.replies = 0;
    },
    accept: (accept) => {
      accepting = accept;
    },
    blackHole: (on) => {
      hole = on;
    },
    strand: () => {
      for (const pair of pairs) pair.isStranded = true;
    },
    swallowReplies: (on) => {
      swallowing = on;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    holdReplies: (on, connection) => {
      if (connection === undefined) holding = on;
      for (const { far, number } of pairs) {
        if (connection !== undefined && number !== connection) continue;
        if (on) far.pause();
        else far.resume();
      }
    },
    close: async () => {
      for (const pair of [...pairs]) reset(pair);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
