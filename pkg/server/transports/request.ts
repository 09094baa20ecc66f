/** Request and response types of the server, independent of HTTP version and Express. Transports convert them. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';

/** By name in lower case. */
export type RepeatedHeaders = ReadonlyMap<string, readonly string[]>;

export interface ApiRequest {
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** Names in lower case; multiple values joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of each header that was sent more than once: joined, they cannot be told from a value with a comma. */
  readonly repeatedHeaders?: RepeatedHeaders | undefined;
  readonly protocol: 'http/1.1' | 'h2';
  /** Switches to this protocol if the response is a stream. */
  readonly upgrade?: 'websocket' | undefined;
  /** False on the insecure port. */
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** Read once per connection. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Reads the body; once only. Throws RequestEntityTooLarge above `maxBytes`, BadRequest when it is incomplete. */
  readonly readBody: (maxBytes: number) => Promise<Buffer>;
  /** Calls `listener` once if the client disconnects before the response is complete. Free when unused. */
  readonly onDisconnect: (listener: () => void) => void;
}

/**
 * Names as written. The chain adds its own headers to this object. `Connection: close` closes the connection after the
 * response; over HTTP/2, after all that run.
 */
export type Headers = Record<string, string | string[]>;

export type ApiResponse = FixedResponse | StreamResponse;

/** Written at once, with its length. */
export interface FixedResponse {
  readonly code: number;
  readonly headers: Headers;
  readonly body: readonly Buffer[];
  /** The cached gzip of the body, if any. */
  readonly gzip?: () => Promise<Buffer>;
}

/** Written in parts. The response ends when `stream` resolves and is aborted when it rejects. */
export interface StreamResponse {
  readonly code: number;
  /** With Content-Length if known. */
  readonly headers: Headers;
  /** Approximate size; absent: from Content-Length, if any. */
  readonly byteLength?: number;
  /** Called exactly once; the writer is closed if the client has disconnected. */
  readonly stream: (writer: ResponseWriter) => Promise<void>;
  /** Writes the same as gzip, when that beats compressing the stream. Encoding may replace `stream` by it. */
  readonly gzipStream?: (writer: ResponseWriter) => Promise<void>;
}

/** Thrown by streams that are aborted without an error of the server, for example for a slow client. */
export class StreamAborted extends Error {}

/** Runs the stream without a client, so that its producer sees the end. Never rejects. */
export const discardResponse = (answer: StreamResponse): Promise<void> => answer.stream(CLOSED).catch(() => undefined);
const CLOSED: ResponseWriter = { write: () => false, drained: () => Promise.resolve(), queuedBytes: 0, closed: true };

/** Such responses have no body and no length (RFC 9110 section 8.6). */
export const isBodiless = (code: number): boolean => code === 204 || code === 304;

/** Handles a request. Never throws or rejects. */
export type Responder = (request: ApiRequest) => Promise<ApiResponse>;
