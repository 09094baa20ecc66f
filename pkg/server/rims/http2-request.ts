/** An HTTP/2 request as the server's own type. */
import type { ServerHttp2Stream } from 'node:http2';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import type { ApiRequest } from './request.ts';
import { collectBody, tooLarge } from './request-body.ts';

/** What the requests of one connection have in common. */
export interface Http2Peer {
  readonly remoteAddress: string;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Slow bodies. */
  readonly requestMs: number;
}

const NO_BODY = Buffer.alloc(0);

export class Http2Request implements ApiRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #peer: Http2Peer;
  #continued = false;
  readonly headers: ApiRequest['headers'];
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly protocol = 'h2';
  readonly secure = true;

  /** `raw`: names and values in turn, as they came. */
  constructor(stream: ServerHttp2Stream, raw: readonly string[], peer: Http2Peer) {
    this.#stream = stream;
    this.#peer = peer;
    const headers = joinHeaders(raw);
    const target = headers[':path'] ?? '';
    this.method = headers[':method'] ?? '';
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    // The authority is what HTTP/1.1 has as Host, and counts more (RFC 9113 section 8.3.1).
    const authority = headers[':authority'];
    if (authority !== undefined) headers['host'] = authority;
    this.headers = headers;
  }

  get remoteAddress(): string {
    return this.#peer.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#peer.clientCertificate;
  }

  readonly onGone = (listener: () => void): void => {
    const stream = this.#stream;
    if (stream.destroyed) queueMicrotask(listener);
    else
      stream.once('close', () => {
        if (stream.aborted) listener();
      });
  };

  readonly readBody = (maxBytes: number): Promise<Buffer> => {
    const stream = this.#stream;
    if (stream.endAfterHeaders) return Promise.resolve(NO_BODY);
    if (Number(this.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (this.headers['expect'] !== undefined && !this.#continued && !stream.closed && !stream.destroyed) {
      this.#continued = true;
      stream.additionalHeaders({ ':status': 100 });
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new StatusError('Timeout', 'the request body did not come in time')), this.#peer.requestMs);
      collectBody(stream, maxBytes, () => stream.readableEnded && !stream.aborted)
        .then(resolve, (error: unknown) => {
          // The window stays closed: what is still to come is not sent.
          stream.pause();
          reject(error instanceof Error ? error : new Error(String(error)));
        })
        .finally(() => clearTimeout(timer));
    });
  };
}

/** As HTTP/1.1 joins them: Node keeps the first of those that should stand once, and a guard would not see the second. */
function joinHeaders(raw: readonly string[]): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}
