/**
 * HTTP/2 for the load generator: requests written as HTTP/1.1 text travel as streams. As client-go does it, many
 * requests share a connection; one is opened for every 100 streams that are open at a time. `node:http2` as client
 * would take more processor time than the server, and be what is measured.
 */
import { connect, type TLSSocket } from 'node:tls';
import { FrameReader } from '../../pkg/http2/frame-reader.ts';
import {
  clientPreface,
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW_BYTES,
  ERROR_CODE,
  FLAG,
  FRAME,
  frame,
  MAX_WINDOW_BYTES,
  rstStream,
  SETTING,
  windowUpdate,
} from '../../pkg/http2/frames.ts';
import { HeaderBlocks, withoutPadding } from '../../pkg/http2/header-blocks.ts';
import { HpackEncoder, type WrittenField } from '../../pkg/http2/hpack-encoder.ts';
import { type Credentials, type RawConnection, withSharedReads } from './raw-connection.ts';
import type { ResponseHandler } from './response-parser.ts';

/** As many as Kubernetes' server takes: more of them would wait for each other. */
const STREAMS_PER_SESSION = 100;
/** Windows are widened in steps of this size, far below the maximum: they are never what is measured. */
const WINDOW_STEP_BYTES = 2 ** 28;
const EMPTY = Buffer.alloc(0);

export interface Http2SessionsOptions extends Credentials {
  readonly url: string;
}

interface Stream {
  readonly handler: ResponseHandler;
  readonly closed: (error?: Error) => void;
  /** Received since its window was widened. */
  received: number;
}

interface WaitingBody {
  readonly id: number;
  readonly bytes: Buffer;
}

class Session {
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #encoder = new HpackEncoder();
  readonly #streams = new Map<number, Stream>();
  /** Bodies that the server's windows have no room for, in order. */
  readonly #waiting: WaitingBody[] = [];
  #sendWindow = DEFAULT_WINDOW_BYTES;
  #nextId = 1;
  #received = 0;
  /** Places that are taken; a request is a stream, a place is many requests one after the other. */
  taken = 0;
  isClosed = false;

  constructor({ url, token: _, ...credentials }: Http2SessionsOptions) {
    const { hostname, port, host } = new URL(url);
    this.#authority = host;
    const options = { host: hostname, port: Number(port), ...credentials, ALPNProtocols: ['h2'] };
    this.#socket = connect(
      withSharedReads(options, (bytes) => {
        try {
          reader.push(bytes);
        } catch (error) {
          this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      }),
    );
    this.#socket.setNoDelay(true);
    const blocks = new HeaderBlocks((id, fields, last) => {
      const stream = this.#streams.get(id);
      const status = fields?.find(({ name }) => name === ':status')?.value;
      if (status !== undefined) stream?.handler.head(Number(status));
      if (last) this.#end(id);
    });
    const reader = new FrameReader((type, flags, id, buffer, start, end) => {
      if (type === FRAME.data) this.#data(flags, id, buffer, start, end);
      else if (type === FRAME.headers) blocks.begin(flags, id, buffer, start, end);
      else if (type === FRAME.continuation) blocks.continue(flags, buffer, start, end);
      else this.#control(type, flags, id, buffer.subarray(start, end));
    });
    let failure: Error | undefined;
    this.#socket.on('error', (error: Error) => (failure = error));
    this.#socket.once('close', () => {
      this.isClosed = true;
      for (const [id, stream] of this.#streams) {
        this.#streams.delete(id);
        stream.closed(failure ?? new Error('the server closed the connection'));
      }
    });
    this.#write(clientPreface(MAX_WINDOW_BYTES));
  }

  /** `text` is a whole request. Returns the id of its stream. */
  request(text: string, token: string | undefined, stream: Omit<Stream, 'received'>): number {
    const end = text.indexOf('\r\n\r\n');
    const body = text.slice(end + 4);
    const id = this.#nextId;
    this.#nextId += 2;
    this.#streams.set(id, { ...stream, received: 0 });
    const block = this.#encoder.encode(toFields(text.slice(0, end), this.#authority, token));
    this.#write(frame(FRAME.headers, FLAG.endHeaders | (body === '' ? FLAG.endStream : 0), id, block));
    if (body !== '') {
      this.#waiting.push({ id, bytes: Buffer.from(body, 'latin1') });
      this.#sendBodies();
    }
    return id;
  }

  cancel(id: number): void {
    if (this.#streams.delete(id) && !this.isClosed) this.#write(rstStream(id, ERROR_CODE.cancel));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** What is written in a tick is one write. */
  #write(bytes: Uint8Array): void {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(bytes);
  }

  /** Bodies are smaller than the first window of a stream, so only that of the connection counts. */
  #sendBodies(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes.length <= this.#sendWindow; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#sendWindow -= next.bytes.length;
      for (let at = 0; at < next.bytes.length; at += DEFAULT_FRAME_BYTES) {
        const part = next.bytes.subarray(at, at + DEFAULT_FRAME_BYTES);
        this.#write(frame(FRAME.data, at + part.length === next.bytes.length ? FLAG.endStream : 0, next.id, part));
      }
    }
  }

  #data(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    const [from, to] = withoutPadding(flags, buffer, start, end);
    this.#received += end - start;
    if (this.#received >= WINDOW_STEP_BYTES) {
      this.#write(windowUpdate(0, this.#received));
      this.#received = 0;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.received += end - start;
    if (stream.received >= WINDOW_STEP_BYTES) {
      this.#write(windowUpdate(id, stream.received));
      stream.received = 0;
    }
    if (to > from) stream.handler.body(buffer, from, to);
    if ((flags & FLAG.endStream) !== 0) this.#end(id);
  }

  #control(type: number, flags: number, id: number, payload: Buffer): void {
    if (type === FRAME.settings && (flags & FLAG.ack) === 0) {
      for (let at = 0; at < payload.length; at += 6) {
        if (payload.readUInt16BE(at) === SETTING.headerTableSize) this.#encoder.limitTable(payload.readUInt32BE(at + 2));
      }
      this.#write(frame(FRAME.settings, FLAG.ack, 0, EMPTY));
    } else if (type === FRAME.ping && (flags & FLAG.ack) === 0) {
      this.#write(frame(FRAME.ping, FLAG.ack, 0, payload));
    } else if (type === FRAME.windowUpdate && id === 0) {
      this.#sendWindow += payload.readUInt32BE(0) & 0x7fff_ffff;
      this.#sendBodies();
    } else if (type === FRAME.rstStream) {
      const stream = this.#streams.get(id);
      this.#streams.delete(id);
      stream?.closed(new Error(`the server reset the stream: ${payload.readUInt32BE(0)}`));
    } else if (type === FRAME.goAway) {
      this.isClosed = true;
    }
  }

  #end(id: number): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.handler.end();
  }
}

export class Http2Sessions {
  readonly #options: Http2SessionsOptions;
  readonly #open: Session[] = [];

  constructor(options: Http2SessionsOptions) {
    this.#options = options;
  }

  get token(): string | undefined {
    return this.#options.token;
  }

  /** With a place for one request at a time. */
  take(): Session {
    let session = this.#open.find(({ taken, isClosed }) => taken < STREAMS_PER_SESSION && !isClosed);
    if (session === undefined) {
      session = new Session(this.#options);
      this.#open.push(session);
    }
    session.taken++;
    return session;
  }

  close(): void {
    for (const session of this.#open.splice(0)) session.destroy();
  }
}

const NOT_IN_HTTP2 = new Set(['host', 'connection', 'content-length']);

/** Names that differ from request to request would only fill the table. */
function toFields(head: string, authority: string, token: string | undefined): WrittenField[] {
  const [line = '', ...lines] = head.split('\r\n');
  const [method = 'GET', path = '/'] = line.split(' ');
  const fields: WrittenField[] = [
    { name: ':method', value: method },
    { name: ':scheme', value: 'https' },
    { name: ':authority', value: authority },
    { name: ':path', value: path, once: true },
  ];
  for (const text of lines) {
    const colon = text.indexOf(':');
    const name = text.slice(0, colon).toLowerCase();
    if (!NOT_IN_HTTP2.has(name)) fields.push({ name, value: text.slice(colon + 1).trim() });
  }
  if (token !== undefined) fields.push({ name: 'authorization', value: `Bearer ${token}` });
  return fields;
}

/** Each text that is written is one whole request; its answer goes to `handler`. */
export function openStream(sessions: Http2Sessions, handler: ResponseHandler, closed: (error?: Error) => void): RawConnection {
  const session = sessions.take();
  let id: number | undefined;
  let isClosed = false;
  const close = (error?: Error) => {
    if (isClosed) return;
    isClosed = true;
    session.taken--;
    closed(error);
  };
  return {
    write: (text) => {
      id = session.request(text, sessions.token, { handler, closed: close });
    },
    destroy: () => {
      if (id !== undefined) session.cancel(id);
      close();
    },
  };
}
