/** Adapts an HTTP/2 request to ApiRequest. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import type { ServerStream } from '../../http2/server-stream.ts';
import type { ApiRequest } from './request.ts';
import { incompleteBody, tooLarge } from './request-body.ts';

/** Shared by the requests of a connection. */
export interface Http2Peer {
  readonly remoteAddress: string;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Timeout for reading a body. */
  readonly requestMs: number;
}

export class Http2Request implements ApiRequest {
  readonly #stream: ServerStream;
  readonly #peer: Http2Peer;
  #continued = false;
  readonly headers: ApiRequest['headers'];
  readonly repeatedHeaders: ApiRequest['repeatedHeaders'];
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly protocol = 'h2';
  readonly secure = true;

  constructor(stream: ServerStream, peer: Http2Peer) {
    this.#stream = stream;
    this.#peer = peer;
    const { method, path = '', headers, repeated } = stream.request;
    this.method = method;
    const mark = path.indexOf('?');
    this.path = mark < 0 ? path : path.slice(0, mark);
    this.query = mark < 0 ? '' : path.slice(mark + 1);
    this.headers = headers;
    this.repeatedHeaders = repeated;
  }

  get remoteAddress(): string {
    return this.#peer.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#peer.clientCertificate;
  }

  readonly onDisconnect = (listener: () => void): void => {
    const stream = this.#stream;
    stream.onClose(() => {
      if (!stream.ended) listener();
    });
  };

  readonly readBody = (maxBytes: number): Promise<Buffer> => {
    const stream = this.#stream;
    if ((stream.request.contentLength ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (this.headers['expect'] !== undefined && !this.#continued && !stream.remoteEnded) {
      this.#continued = true;
      stream.inform(100);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The window stays closed, so the client sends no more.
        stream.discardBody();
        reject(new StatusError('Timeout', 'the request body did not arrive in time'));
      }, this.#peer.requestMs);
      const refuse = (error: StatusError) => {
        clearTimeout(timer);
        reject(error);
      };
      stream.read({
        maxBytes,
        onBody: (body) => {
          clearTimeout(timer);
          resolve(body);
        },
        onTooLarge: () => refuse(tooLarge(maxBytes)),
        onAborted: () => refuse(incompleteBody()),
      });
    });
  };
}
