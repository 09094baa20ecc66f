/**
 * The server's own request and response types. Handlers see nothing of HTTP/1.1, HTTP/2 or Express; a transport turns
 * each protocol into this and back.
 */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';

export interface ApiRequest {
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** Names in lower case; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly protocol: 'http/1.1' | 'h2';
  /** The connection goes on in this protocol when the answer is a stream. */
  readonly upgrade?: 'websocket' | undefined;
  /** False on the insecure port. */
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** Read once per connection, on first use. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * The whole body. Throws StatusError RequestEntityTooLarge beyond `maxBytes`, BadRequest when it ends early. Once
   * only.
   */
  readonly readBody: (maxBytes: number) => Promise<Buffer>;
  /**
   * Calls `listener` once, when the client is gone before its answer was complete. Costs nothing to those who do not
   * ask.
   */
  readonly onGone: (listener: () => void) => void;
}

/** Names as they are written. Once an answer was returned, the chain adds its own headers to this object. */
export type Headers = Record<string, string | string[]>;

export type ApiResponse = FixedResponse | StreamResponse;

/** Written at once, with its length. */
export interface FixedResponse {
  readonly code: number;
  readonly headers: Headers;
  readonly body: readonly Buffer[];
  /** The body as gzip, where that is cached: sent to clients that accept it. */
  readonly gzip?: () => Promise<Buffer>;
}

/** Written piece by piece; the answer ends when `stream` resolves and breaks off when it rejects. */
export interface StreamResponse {
  readonly code: number;
  /** With a content-length when the caller knows it. */
  readonly headers: Headers;
  /** About how many bytes it writes, for whoever decides by it; absent: as the content-length says, else unknown. */
  readonly byteLength?: number;
  /** A transport calls it exactly once, with a closed writer when the reader is gone. */
  readonly stream: (writer: ResponseWriter) => Promise<void>;
  /**
   * Writes the same as gzip, where there is a faster way than to compress the stream. The encode step replaces `stream`
   * by it.
   */
  readonly gzipStream?: (writer: ResponseWriter) => Promise<void>;
}

/** Thrown by a stream that ends before its time for a reason that is no fault of the server: the reader is too slow. */
export class StreamBrokenOff extends Error {}

/** Nobody reads: whoever made the stream still learns that it is over. Never rejects. */
export const discardResponse = (answer: StreamResponse): Promise<void> => answer.stream(GONE).catch(() => undefined);
const GONE: ResponseWriter = { write: () => false, drained: () => Promise.resolve(), queuedBytes: 0, closed: true };

/** Such an answer has no body, and no length (RFC 9110 section 8.6). */
export const isBodiless = (code: number): boolean => code === 204 || code === 304;

/** What a transport calls. It never throws and never rejects. */
export type Responder = (request: ApiRequest) => Promise<ApiResponse>;
