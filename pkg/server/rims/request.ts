/**
 * The server's own request and answer type. Handlers see nothing of HTTP/1.1, HTTP/2 or Express; a rim turns each protocol into this
 * and back.
 */
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';

export interface ApiRequest {
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** Names in lower case; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly protocol: 'http/1.1' | 'h2';
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** The whole body. Throws StatusError RequestEntityTooLarge beyond `maxBytes`, BadRequest when it ends early. */
  readonly readBody: (maxBytes: number) => Promise<Buffer>;
  /** Aborts when the client is gone, the deadline has passed or the server ends. */
  readonly signal: AbortSignal;
}

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export type ApiResponse =
  | { readonly code: number; readonly headers: Headers; readonly body: readonly Buffer[] }
  /** Written piece by piece; the answer ends when `stream` resolves and breaks off when it rejects. */
  | { readonly code: number; readonly headers: Headers; readonly stream: (sink: ByteSink) => Promise<void> };
