/** HTTP/2 on `pkg/http2`. `sweep` enforces time limits, the connection all others. */
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import { ERROR_CODE } from '../../http2/frames.ts';
import { FramePagePool } from '../../http2/page-pool.ts';
import { ServerConnection } from '../../http2/server-connection.ts';
import type { ServerStream } from '../../http2/server-stream.ts';
import type { Http2Connection, Http2Connector } from './http2-connections.ts';
import type { Http2TransportOptions } from './http2-transport.ts';
import { HttpDate } from './http-date.ts';
import { refusalOf } from './http2-refusal.ts';
import { type Http2Peer, Http2Request } from './native-http2-request.ts';
import { writeHttp2Response } from './native-http2-response.ts';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './transport-limits.ts';

const CONNECTION_LIMITS = {
  maxStreams: 250,
  maxHeaderBytes: MAX_HEADER_BYTES,
  maxHeaderFields: MAX_HEADER_FIELDS,
  // Fits most bodies. A client can make the server buffer this much per stream.
  streamWindowBytes: 256 * 1024,
  connectionWindowBytes: 1024 * 1024,
};

/** Opens connections that share a memory pool and the date header. */
export function createConnector(options: Http2TransportOptions): Http2Connector {
  const shared: Shared = { pool: new FramePagePool(), date: new HttpDate(options.clock) };
  return {
    connect: (socket, onClosed) => new NativeHttp2Connection(socket, shared, options, onClosed),
    trim: () => shared.pool.trim(),
  };
}

interface Shared {
  readonly pool: FramePagePool;
  readonly date: HttpDate;
}

class NativeHttp2Connection implements Http2Connection, Http2Peer {
  readonly #connection: ServerConnection;
  readonly #socket: TLSSocket;
  readonly #options: Http2TransportOptions;
  readonly #date: HttpDate;
  /** With the time since which the client has been reading the response; 0: not yet complete. */
  readonly #open = new Map<ServerStream, number>();
  readonly remoteAddress: string;
  /** Start of the time without streams. */
  #idleSince = performance.now();
  #idleMs: number;

  constructor(socket: TLSSocket, { pool, date }: Shared, options: Http2TransportOptions, onClosed: () => void) {
    this.#socket = socket;
    this.#date = date;
    this.#options = options;
    this.#idleMs = options.limits.headMs;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#connection = new ServerConnection(socket, { ...CONNECTION_LIMITS, pool, onStream: (stream) => this.#serve(stream), onClosed });
  }

  get streams(): number {
    return this.#open.size;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#options.certificates.of(this.#socket);
  }

  get requestMs(): number {
    return this.#options.limits.requestMs;
  }

  sweep(now: number): void {
    const { unsentMs } = this.#options.limits;
    if (this.#open.size === 0) {
      if (this.#connection.endedMs(now) >= unsentMs || this.#connection.stalledMs(now) >= unsentMs) this.destroy();
      // Repeats GOAWAY for a client that does not react.
      else if (this.#connection.draining || now - this.#idleSince >= this.#idleMs) this.#connection.drain();
      return;
    }
    for (const [stream, answeredAt] of this.#open) {
      if (answeredAt === 0 || now - answeredAt <= unsentMs) continue;
      // After CANCEL some clients, such as Node's, take a partial response for a complete one.
      stream.reset(ERROR_CODE.internalError);
      // The client does not even read the reset.
      if (this.#connection.stalledMs(now) >= unsentMs) this.destroy();
    }
  }

  drain(): void {
    if (!this.#connection.draining) this.#connection.drain();
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #serve(stream: ServerStream): void {
    this.#idleMs = this.#options.limits.idleMs;
    this.#open.set(stream, 0);
    stream.onClose(() => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#idleSince = performance.now();
    });
    const request = new Http2Request(stream, this);
    const answered = refusalOf(request) ?? this.#options.respond(request);
    void Promise.resolve(answered)
      .then((answer) => {
        if ('body' in answer) this.#answered(stream);
        if (answer.headers['Connection'] === 'close') this.drain();
        return writeHttp2Response(stream, answer, { headOnly: request.method === 'HEAD', date: this.#date.text });
      })
      .then(() => this.#answered(stream));
  }

  /** Starts the time limit for the client to read the response. */
  #answered(stream: ServerStream): void {
    if (this.#open.get(stream) === 0) this.#open.set(stream, performance.now());
  }
}
