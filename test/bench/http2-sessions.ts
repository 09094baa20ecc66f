/**
 * HTTP/2 for the load generator: requests written as HTTP/1.1 text travel as streams. As client-go does it, many
 * requests share a connection; a session is opened for every 100 streams that are open at a time.
 */
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import type { Credentials, RawConnection } from './raw-connection.ts';
import type { ResponseHandler } from './response-parser.ts';

/** As many as Kubernetes' server takes: more of them would wait for each other. */
const STREAMS_PER_SESSION = 100;
/** Large enough that the reader's window is not what is measured. */
const WINDOW_BYTES = 16 * 1024 * 1024;

export interface Http2SessionsOptions extends Credentials {
  readonly url: string;
}

interface Shared {
  readonly session: ClientHttp2Session;
  streams: number;
}

export class Http2Sessions {
  readonly #options: Http2SessionsOptions;
  readonly #open: Shared[] = [];

  constructor(options: Http2SessionsOptions) {
    this.#options = options;
  }

  /** A place for one request at a time. */
  take(): { readonly session: ClientHttp2Session; readonly release: () => void; readonly token: string | undefined } {
    let shared = this.#open.find(({ session, streams }) => streams < STREAMS_PER_SESSION && !session.closed && !session.destroyed);
    if (shared === undefined) {
      const { url, token: _, ...credentials } = this.#options;
      const session = connect(url, { ...credentials, settings: { initialWindowSize: WINDOW_BYTES } });
      session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
      session.on('error', () => undefined); // its streams tell
      shared = { session, streams: 0 };
      this.#open.push(shared);
    }
    const taken = shared;
    taken.streams++;
    return { session: taken.session, release: () => taken.streams--, token: this.#options.token };
  }

  close(): void {
    for (const { session } of this.#open.splice(0)) session.destroy();
  }
}

const NOT_IN_HTTP2 = new Set(['host', 'connection', 'content-length']);

function toHeaders(head: string): OutgoingHttpHeaders {
  const [line = '', ...fields] = head.split('\r\n');
  const [method = 'GET', path = '/'] = line.split(' ');
  const headers: OutgoingHttpHeaders = { [constants.HTTP2_HEADER_METHOD]: method, [constants.HTTP2_HEADER_PATH]: path };
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    if (!NOT_IN_HTTP2.has(name)) headers[name] = field.slice(colon + 1).trim();
  }
  return headers;
}

/** Each text that is written is one whole request; its answer goes to `handler`. */
export function openStream(sessions: Http2Sessions, handler: ResponseHandler, closed: (error?: Error) => void): RawConnection {
  const { session, release, token } = sessions.take();
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let stream: ClientHttp2Stream | undefined;
  let isClosed = false;
  const close = (error?: Error) => {
    if (isClosed) return;
    isClosed = true;
    release();
    closed(error);
  };
  return {
    write: (text) => {
      const end = text.indexOf('\r\n\r\n');
      const body = text.slice(end + 4);
      const opened = session.request({ ...toHeaders(text.slice(0, end)), ...authorization }, { endStream: body === '' });
      stream = opened;
      opened.on('response', ({ [constants.HTTP2_HEADER_STATUS]: code }) => handler.head(Number(code)));
      opened.on('data', (bytes: Buffer) => handler.body(bytes, 0, bytes.byteLength));
      opened.once('end', () => handler.end());
      opened.once('error', (error: Error) => close(error));
      if (body !== '') opened.end(body, 'latin1');
    },
    destroy: () => {
      stream?.close(constants.NGHTTP2_CANCEL);
      close();
    },
  };
}
