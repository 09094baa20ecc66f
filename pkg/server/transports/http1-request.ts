/** Adapts an HTTP/1.1 request to ApiRequest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientCertificate } from '../../authentication/authenticator.ts';
import type { ClientCertificates } from './client-certificate.ts';
import { repeatedHeaders } from './repeated-headers.ts';
import { collectBody, tooLarge } from './request-body.ts';
import type { ApiRequest } from './request.ts';

type Http1Headers = ApiRequest['headers'];

/** Joins Set-Cookie, the only header that Node returns as a list. */
function plainHeaders(raw: IncomingMessage['headers']): Http1Headers {
  const cookies = raw['set-cookie'];
  return cookies === undefined ? { ...raw, 'set-cookie': undefined } : { ...raw, 'set-cookie': cookies.join(', ') };
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/** A path, or an absolute URL, whose authority replaces the Host header (RFC 9112 section 3.2.2). */
function splitTarget(url: string): { readonly target: string; readonly authority: string | undefined } {
  const [, authority, target = ''] = url.startsWith('/') ? [] : (ABSOLUTE_FORM.exec(url) ?? []);
  if (authority === undefined) return { target: url, authority };
  return { target: target.startsWith('/') ? target : `/${target}`, authority };
}

/** Fields are computed on first use: most requests read two headers and have no body. */
export class Http1Request implements ApiRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #authority: string | undefined;
  #headers: Http1Headers | undefined;
  #continued = false;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly protocol = 'http/1.1';
  readonly upgrade: ApiRequest['upgrade'];
  readonly #certificates: ClientCertificates | undefined;

  /** `certificates`: absent on the insecure port. */
  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    certificates: ClientCertificates | undefined,
    upgrade?: ApiRequest['upgrade'],
  ) {
    this.#message = message;
    this.#response = response;
    this.#certificates = certificates;
    this.upgrade = upgrade;
    this.method = message.method ?? 'GET';
    const { target: url, authority } = splitTarget(message.url ?? '/');
    this.#authority = authority;
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  get secure(): boolean {
    return this.#certificates !== undefined;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#certificates?.of(this.#message.socket);
  }

  get headers(): Http1Headers {
    this.#headers ??= this.#readHeaders();
    return this.#headers;
  }

  get repeatedHeaders(): ApiRequest['repeatedHeaders'] {
    return repeatedHeaders(this.#message.rawHeaders);
  }

  #readHeaders(): Http1Headers {
    const headers = plainHeaders(this.#message.headers);
    return this.#authority === undefined ? headers : { ...headers, host: this.#authority };
  }

  /** The client waits for `100 Continue` and has not sent the body. */
  get awaitsContinue(): boolean {
    return this.#message.headers.expect !== undefined && !this.#continued;
  }

  get remoteAddress(): string {
    return this.#message.socket.remoteAddress ?? '';
  }

  readonly onDisconnect = (listener: () => void): void => {
    const response = this.#response;
    if (response.closed) {
      if (!response.writableFinished) queueMicrotask(listener);
      return;
    }
    response.once('close', () => {
      if (!response.writableFinished) listener();
    });
  };

  readonly readBody = (maxBytes: number): Promise<Buffer> => {
    const message = this.#message;
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (this.awaitsContinue) {
      this.#continued = true;
      this.#response.writeContinue();
    }
    return collectBody(message, maxBytes, () => message.complete);
  };
}
