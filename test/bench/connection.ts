/**
 * One keep-alive connection with one request at a time. All connections read into one shared buffer: nothing is
 * allocated per read.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { openStream, type Http2Sessions } from './http2-sessions.ts';
import { type Credentials, type RawConnection, withSharedReads } from './raw-connection.ts';
import { ResponseParser, type ResponseHandler } from './response-parser.ts';

const ANSWER_MS = 120_000;

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Absent: plain HTTP/1.1. */
  readonly secure?: SecureAddress;
}

export interface SecureAddress extends Credentials {
  /** Absent: HTTP/1.1. Every connection of the bench is then a stream of one of these sessions. */
  readonly sessions?: Http2Sessions;
}

export interface Reply {
  readonly code: number;
  readonly bytes: number;
  /** Only when asked for. */
  readonly body: Buffer;
}

/** Opens a connection whose responses go to `handler` as they come in; `closed` is called once, whoever closed it. */
export function openRaw(address: Address, handler: ResponseHandler, closed: (error?: Error) => void): Promise<RawConnection> {
  const { secure } = address;
  if (secure === undefined) return openPlain(address, handler, closed);
  if (secure.sessions === undefined) return openSecure(address, secure, handler, closed);
  return Promise.resolve(openStream(secure.sessions, handler, closed));
}

function openSecure(
  { host, port }: Address,
  { sessions: _, token, ...credentials }: SecureAddress,
  handler: ResponseHandler,
  closed: (error?: Error) => void,
): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const parser = new ResponseParser(handler);
    let failure: Error | undefined;
    const options = { host, port, ...credentials, ALPNProtocols: ['http/1.1'] };
    const socket: Socket = connectTls(withSharedReads(options, (bytes) => feed(parser, socket, bytes)));
    socket.setNoDelay(true);
    socket.once('secureConnect', () =>
      resolve({ write: (text) => void socket.write(authorized(text, token), 'latin1'), destroy: () => socket.destroy() }),
    );
    socket.once('error', (error: Error) => {
      failure = error;
      reject(error);
    });
    socket.once('close', () => closed(failure));
  });
}

const authorized = (text: string, token: string | undefined): string =>
  token === undefined ? text : text.replace('\r\n', `\r\nAuthorization: Bearer ${token}\r\n`);

function openPlain({ host, port }: Address, handler: ResponseHandler, closed: (error?: Error) => void): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const parser = new ResponseParser(handler);
    let failure: Error | undefined;
    const options = { host, port, noDelay: true };
    const socket: Socket = connect(withSharedReads(options, (bytes) => feed(parser, socket, bytes)));
    socket.once('connect', () => resolve({ write: (text) => void socket.write(text, 'latin1'), destroy: () => socket.destroy() }));
    socket.once('error', (error) => {
      failure = error;
      reject(error);
    });
    socket.once('close', () => closed(failure));
  });
}

/** What is no answer ends the connection. */
function feed(parser: ResponseParser, socket: Socket, bytes: Buffer): void {
  try {
    parser.feed(bytes);
  } catch (error) {
    socket.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/** What is kept of a body. */
type Kept = 'nothing' | 'ends' | 'all';
/** Where list metadata may stand: in front of the items or behind them. */
export const END_BYTES = 2048;

interface Waiting {
  /** Time at which the request was sent, ms. */
  readonly since: number;
  readonly keep: Kept;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

const EMPTY = Buffer.alloc(0);

export class Connection {
  #raw: RawConnection | undefined;
  #waiting: Waiting | undefined;
  #code = 0;
  #bytes = 0;
  #kept: Buffer[] = [];

  static async open(address: Address): Promise<Connection> {
    const connection = new Connection();
    connection.#raw = await openRaw(
      address,
      {
        head: (code) => (connection.#code = code),
        body: (bytes, start, end) => {
          connection.#bytes += end - start;
          connection.#keep(bytes.subarray(start, end));
        },
        end: () => connection.#end(),
      },
      (error) => connection.#waiting?.reject(error ?? new Error('the server closed the connection')),
    );
    return connection;
  }

  /** `text` is a whole request, ASCII. One at a time. */
  send(text: string, keep = false): Promise<Reply> {
    return this.#send(text, keep ? 'all' : 'nothing');
  }

  /**
   * The same, and of a long body the first and the last bytes: at least `END_BYTES` of each. A client that copies all
   * of it would be what is measured.
   */
  sendForEnds(text: string): Promise<Reply> {
    return this.#send(text, 'ends');
  }

  #send(text: string, keep: Kept): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { since: performance.now(), keep, resolve, reject };
      this.#bytes = 0;
      this.#raw?.write(text);
    });
  }

  /** Milliseconds for which an answer has been waited for. */
  get waitingMs(): number {
    return this.#waiting === undefined ? 0 : performance.now() - this.#waiting.since;
  }

  /** An answer that is still waited for does not come. */
  close(): void {
    this.#waiting?.reject(new Error('closed before its answer had come'));
    this.#waiting = undefined;
    this.#raw?.destroy();
  }

  #keep(piece: Buffer): void {
    const keep = this.#waiting?.keep ?? 'nothing';
    if (keep === 'nothing') return;
    if (keep === 'all' || piece.length <= 2 * END_BYTES) this.#kept.push(Buffer.from(piece));
    else {
      const isStart = this.#bytes - piece.length < END_BYTES;
      if (isStart) this.#kept.push(Buffer.from(piece.subarray(0, END_BYTES)));
      this.#kept.push(Buffer.from(piece.subarray(-END_BYTES)));
    }
  }

  #end(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const kept = this.#kept;
    if (kept.length > 0) this.#kept = [];
    const body = kept.length === 0 ? EMPTY : kept.length === 1 ? (kept[0] ?? EMPTY) : Buffer.concat(kept);
    waiting?.resolve({ code: this.#code, bytes: this.#bytes, body });
  }
}

/** Opens `count` connections, runs `work` on each at the same time and closes them. */
export async function withConnections<T>(
  address: Address,
  count: number,
  work: (connection: Connection, index: number) => Promise<T>,
): Promise<T[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(address)));
  const watch = setInterval(() => {
    for (const connection of connections) if (connection.waitingMs > ANSWER_MS) connection.close();
  }, ANSWER_MS / 10);
  try {
    return await Promise.all(connections.map(work));
  } finally {
    clearInterval(watch);
    for (const connection of connections) connection.close();
  }
}
