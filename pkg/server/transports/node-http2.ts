/** HTTP/2 on `node:http2`: frames, flow control and abuse limits are Node's; `sweep` enforces time limits. */
import { constants, type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import { DrainWaiters } from './drain-waiters.ts';
import { refusalOf } from './http2-refusal.ts';
import { responseFields } from './http2-response-fields.ts';
import type { Http2Connection, Http2Connector } from './http2-connections.ts';
import type { Http2TransportOptions } from './http2-transport.ts';
import { repeatedHeaders } from './repeated-headers.ts';
import { collectBody, tooLarge } from './request-body.ts';
import { type ApiRequest, type ApiResponse, discardResponse, isBodiless, StreamAborted } from './request.ts';
import { LINGER_MS, MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './transport-limits.ts';

const { NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR } = constants;

const SESSION_OPTIONS = {
  maxHeaderListPairs: MAX_HEADER_FIELDS,
  settings: { maxConcurrentStreams: 250, maxHeaderListSize: MAX_HEADER_BYTES, initialWindowSize: 256 * 1024 },
};
const CONNECTION_WINDOW_BYTES = 1024 * 1024;

export const createConnector = (options: Http2TransportOptions): Http2Connector => ({
  connect: (socket, onClosed) => new NodeHttp2Connection(socket, options, onClosed),
});

class NodeHttp2Connection implements Http2Connection {
  readonly #socket: TLSSocket;
  readonly #options: Http2TransportOptions;
  readonly #session: ServerHttp2Session;
  /** With the time since which the client has been reading the response; 0: not yet complete. */
  readonly #open = new Map<ServerHttp2Stream, number>();
  readonly remoteAddress: string;
  /** Start of the time without streams. */
  #idleSince = performance.now();
  #idleMs: number;

  constructor(socket: TLSSocket, options: Http2TransportOptions, onClosed: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#idleMs = options.limits.headMs;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#session = performServerHandshake(socket, SESSION_OPTIONS);
    this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    this.#session.on('stream', (stream, headers, _flags, raw) => this.#serve(stream, headers, raw));
    // A disconnect is not an error; its streams report it.
    this.#session.on('error', () => undefined);
    this.#session.once('close', () => {
      socket.destroy();
      onClosed();
    });
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
      if (this.#session.closed && now - this.#idleSince >= unsentMs) this.destroy();
      else if (now - this.#idleSince >= this.#idleMs) this.drain();
      return;
    }
    for (const [stream, answeredAt] of this.#open) {
      if (answeredAt === 0 || now - answeredAt <= unsentMs) continue;
      // The client does not even read the reset.
      if (stream.closed) this.destroy();
      else stream.close(NGHTTP2_INTERNAL_ERROR);
    }
  }

  drain(): void {
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]): void {
    this.#idleMs = this.#options.limits.idleMs;
    this.#open.set(stream, 0);
    stream.on('error', () => undefined);
    stream.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#idleSince = performance.now();
    });
    const request = new NodeHttp2Request(stream, headers, raw, this);
    const answered = refusalOf(request) ?? this.#options.respond(request);
    void Promise.resolve(answered)
      .then((response) => {
        if ('body' in response) this.#answered(stream);
        if (response.headers['Connection'] === 'close') this.drain();
        return writeResponse(stream, response, request.method === 'HEAD');
      })
      .then(() => this.#answered(stream));
  }

  /** Starts the time limit for the client to read the response. */
  #answered(stream: ServerHttp2Stream): void {
    if (this.#open.get(stream) === 0) this.#open.set(stream, performance.now());
  }
}

class NodeHttp2Request implements ApiRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #connection: NodeHttp2Connection;
  readonly #raw: readonly string[];
  #continued = false;
  readonly headers: ApiRequest['headers'];
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly protocol = 'h2';
  readonly secure = true;

  constructor(stream: ServerHttp2Stream, sent: IncomingHttpHeaders, raw: readonly string[], connection: NodeHttp2Connection) {
    this.#stream = stream;
    this.#raw = raw;
    this.#connection = connection;
    const { ':method': method = 'GET', ':path': target = '', ':authority': authority } = sent;
    const headers: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>;
    for (const [name, value] of Object.entries(sent)) {
      if (!name.startsWith(':')) headers[name] = typeof value === 'object' ? value.join(', ') : value;
    }
    // Replaces Host (RFC 9113 section 8.3.1).
    if (authority !== undefined) headers['host'] = authority;
    this.headers = headers;
    this.method = method;
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
  }

  get repeatedHeaders(): ApiRequest['repeatedHeaders'] {
    return repeatedHeaders(this.#raw);
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#connection.clientCertificate;
  }

  readonly onDisconnect = (listener: () => void): void => {
    const stream = this.#stream;
    const notify = (): void => {
      if (!isResponseSent(stream)) listener();
    };
    if (stream.destroyed) queueMicrotask(notify);
    else stream.once('close', notify);
  };

  readonly readBody = (maxBytes: number): Promise<Buffer> => {
    const stream = this.#stream;
    if (Number(this.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (this.headers['expect'] !== undefined && !this.#continued && !stream.readableEnded && !stream.closed) {
      this.#continued = true;
      stream.additionalHeaders({ ':status': 100 });
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // Stops reading the body.
        stream.pause();
        reject(new StatusError('Timeout', 'the request body did not arrive in time'));
      }, this.#connection.requestMs);
      collectBody(stream, maxBytes, () => !stream.aborted && stream.rstCode === NGHTTP2_NO_ERROR)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  };
}

const isResponseSent = (stream: ServerHttp2Stream): boolean => stream.writableFinished && stream.rstCode === NGHTTP2_NO_ERROR;

/** Never rejects; a disconnected client is not an error. Resolves when the response has ended. */
async function writeResponse(stream: ServerHttp2Stream, response: ApiResponse, headOnly: boolean): Promise<void> {
  const fields = stream.destroyed || stream.closed ? undefined : responseFields(response);
  if (fields === undefined) {
    stream.close(NGHTTP2_INTERNAL_ERROR);
    if ('stream' in response) await discardResponse(response);
    return;
  }
  const head: Record<string, string | string[] | number> = { ':status': response.code };
  for (const [name, value] of fields) {
    const before = head[name];
    head[name] = before === undefined ? value : [...(typeof before === 'object' ? before : [String(before)]), value];
  }
  if ('body' in response) {
    const body = Buffer.concat(response.body);
    if (!isBodiless(response.code)) head['content-length'] = body.length;
    const isEmpty = headOnly || body.length === 0 || isBodiless(response.code);
    stream.respond(head, { endStream: isEmpty });
    if (!isEmpty) stream.end(body);
    drainRequest(stream);
    return;
  }
  stream.respond(head, { endStream: headOnly });
  if (headOnly) return discardResponse(response);
  const writer = new NodeHttp2ResponseWriter(stream);
  try {
    await response.stream(writer);
    writer.end();
    drainRequest(stream);
  } catch {
    writer.abort(); // logged by the chain
  }
}

/** Drops unread parts of the request (RFC 9113 section 8.1). Most bodies end by themselves. */
function drainRequest(stream: ServerHttp2Stream): void {
  if (stream.readableEnded || stream.destroyed) return;
  stream.resume();
  const timer = setTimeout(() => stream.close(NGHTTP2_NO_ERROR), LINGER_MS);
  stream.once('end', () => clearTimeout(timer));
  stream.once('close', () => clearTimeout(timer));
}

class NodeHttp2ResponseWriter implements ResponseWriter {
  readonly isZeroCopy = true;
  readonly #stream: ServerHttp2Stream;
  readonly #waiters: DrainWaiters;
  #ended = false;

  /** The head was already sent. */
  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    this.#waiters = new DrainWaiters(stream);
  }

  get closed(): boolean {
    return this.#ended || this.#stream.closed || this.#stream.destroyed;
  }

  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    return bytes.byteLength === 0 || this.#stream.write(bytes);
  }

  writeAll(parts: readonly Uint8Array[]): boolean {
    if (this.closed) return false;
    this.#stream.cork();
    for (const part of parts) if (part.byteLength > 0) this.#stream.write(part);
    this.#stream.uncork();
    return !this.#stream.writableNeedDrain;
  }

  endWith(parts: readonly Uint8Array[]): boolean {
    const drained = this.writeAll(parts);
    this.end();
    return drained;
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#waiters.drained();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiters.release();
    this.#stream.end();
  }

  /** A reset shows that the response is incomplete. After CANCEL some clients take a part for the whole. */
  abort(): void {
    this.#ended = true;
    this.#waiters.release();
    // `close` would end the stream normally first.
    this.#stream.destroy(new StreamAborted('the response was aborted'));
  }
}
