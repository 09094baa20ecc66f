/**
 * The HTTP/2 rim: connections that TLS has agreed to be HTTP/2, and their streams, each one line to the chain. Express does not run on
 * Node's HTTP/2, and its compatibility layer costs more than it gives, so this works on stream events.
 *
 * What a hostile peer can do is bounded: resets, header blocks, frames without effect and unanswered acknowledgements by the library
 * below (rapid reset, CVE-2023-44487; CONTINUATION floods, CVE-2024-27316), everything that takes time by `sweep`.
 */
import { constants, performServerHandshake } from 'node:http2';
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { TransientMap } from '../../apimachinery/collections/transient-map.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import type { ClientCertificates } from './client-certificate.ts';
import { Http2Request } from './http2-request.ts';
import type { Http2Peer } from './http2-request.ts';
import { writeHttp2Response } from './http2-response.ts';
import type { ApiResponse, Responder } from './request.ts';
import { MAX_HEADER_BYTES } from './transport-limits.ts';
import type { TransportLimits } from './transport-limits.ts';

export interface Http2RimOptions {
  readonly respond: Responder;
  readonly certificates: ClientCertificates;
  readonly limits: TransportLimits;
}

const SESSION_OPTIONS = {
  // MB of frames and headers in flight. The default of 10 rejects 75 of 100 streams whose reader is slow.
  maxSessionMemory: 1000,
  // As many as HTTP/1.1 takes.
  maxHeaderListPairs: 2000,
  settings: {
    maxConcurrentStreams: 250,
    maxHeaderListSize: MAX_HEADER_BYTES,
    // Most bodies come without a wait. A connection can make the server hold this much for each of its streams.
    initialWindowSize: 256 * 1024,
    enablePush: false,
  },
};
/** Of all streams of a connection together: the library gives it back as soon as bytes arrive. */
const CONNECTION_WINDOW_BYTES = 1024 * 1024;
/** PING and SETTINGS frames between two sweeps. Clients send one in seconds. */
const MAX_CONTROL_FRAMES = 1000;

export class Http2Rim {
  readonly #options: Http2RimOptions;
  readonly #connections = new Set<Http2Connection>();
  #draining = false;

  constructor(options: Http2RimOptions) {
    this.#options = options;
  }

  /** Open connections. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Open streams of all connections. */
  get streams(): number {
    let streams = 0;
    for (const connection of this.#connections) streams += connection.streams;
    return streams;
  }

  /** Takes over a connection whose ALPN is `h2`. */
  accept(socket: TLSSocket): void {
    const connection = new Http2Connection(socket, this.#options, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    if (this.#draining) connection.drain();
  }

  /** Ends what takes too long. To be called every now and then. */
  sweep(): void {
    const now = performance.now();
    for (const connection of this.#connections) connection.sweep(now);
  }

  /** Tells every client to make another connection for new requests (GOAWAY); one of now closes when its last stream has ended. */
  retire(): void {
    for (const connection of this.#connections) connection.drain();
  }

  /** Retires every connection, those to come too. */
  drain(): void {
    this.#draining = true;
    this.retire();
  }

  /** Cuts every connection. */
  destroy(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}

class Http2Connection implements Http2Peer {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #options: Http2RimOptions;
  /** Each with the time since which its answer only waits for the reader; 0: it is still being made. */
  readonly #open = new TransientMap<ServerHttp2Stream, number>();
  readonly remoteAddress: string;
  /** Since when no stream has been open. */
  #idleSince = performance.now();
  #idleMs: number;
  #controlFrames = 0;

  constructor(socket: TLSSocket, options: Http2RimOptions, onClose: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#idleMs = options.limits.headMs;
    this.remoteAddress = socket.remoteAddress ?? '';
    const session = performServerHandshake(socket, SESSION_OPTIONS);
    this.#session = session;
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    session.on('stream', (stream, _headers, _flags, raw) => this.#serve(stream, raw));
    session.on('ping', this.#countControlFrame);
    session.on('remoteSettings', this.#countControlFrame);
    session.on('error', ignore);
    session.once('close', onClose);
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
    this.#controlFrames = 0;
    if (this.#open.size === 0) {
      if (now - this.#idleSince < this.#idleMs) return;
      if (this.#session.closed) this.destroy();
      else this.#session.close();
      return;
    }
    const { unsentMs } = this.#options.limits;
    for (const [stream, answeredAt] of this.#open) {
      if (answeredAt === 0 || now - answeredAt <= unsentMs) continue;
      if (stream.closed) {
        this.destroy(); // not even the reset is taken
        return;
      }
      // CANCEL would let some clients, Node's among them, take half an answer for a whole one.
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      this.#open.set(stream, now);
    }
  }

  drain(): void {
    this.#session.close();
  }

  /** Cuts the connection. A session alone would wait for its peer to close the other half, which a peer may never do. */
  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #serve(stream: ServerHttp2Stream, raw: readonly string[]): void {
    stream.on('error', ignore); // a reset is no failure of ours; it is seen as `close`
    if (stream.destroyed || stream.closed) return; // reset in the same breath
    this.#idleMs = this.#options.limits.idleMs;
    this.#open.set(stream, 0);
    stream.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#idleSince = performance.now();
    });
    const request = new Http2Request(stream, raw, this);
    const answered = refusalOf(request) ?? this.#options.respond(request);
    void Promise.resolve(answered)
      .then((answer) => {
        if ('body' in answer) this.#answered(stream);
        return writeHttp2Response(stream, answer, request.method === 'HEAD');
      })
      .then(() => this.#answered(stream));
  }

  /** From here on it is the reader who takes time. */
  #answered(stream: ServerHttp2Stream): void {
    if (this.#open.get(stream) === 0) this.#open.set(stream, performance.now());
  }

  readonly #countControlFrame = (): void => {
    if (++this.#controlFrames > MAX_CONTROL_FRAMES)
      this.#session.destroy(new Error('too many control frames'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  };
}

const ignore = () => undefined;

/** What Node refuses by itself on HTTP/1.1. */
function refusalOf({ method, headers }: Http2Request): ApiResponse | undefined {
  if (method === 'CONNECT') return { code: 405, headers: {}, body: [] };
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return { code: 417, headers: {}, body: [] };
  return undefined;
}
