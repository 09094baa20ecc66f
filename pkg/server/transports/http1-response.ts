/** Writes one answer to an HTTP/1.1 connection: fixed bodies with one write, streams through a writer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LINGER_MS } from './transport-limits.ts';
import { type ChunkFramer, Http1ResponseWriter } from './http1-response-writer.ts';
import { type ApiResponse, discardResponse, type FixedResponse, isBodiless, type StreamResponse } from './request.ts';

export interface WriteOptions {
  readonly framer: ChunkFramer;
  /** The connection closes after this answer. */
  readonly close: boolean;
  /** The client was never told to send the body that it announced: it may or may not send it now. */
  readonly awaitsContinue: boolean;
}

/** Never throws and never rejects: a reader that is gone is no failure. */
export async function writeHttp1Response(
  message: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  { framer, close, awaitsContinue }: WriteOptions,
): Promise<void> {
  if (response.destroyed) {
    if ('stream' in answer) await discardResponse(answer);
    return;
  }
  // A body that nobody read stands between this answer and the next request. A small one is skipped by Node; the
  // connection of one that may be large is not worth its bytes.
  const abandoned = !message.complete && (answer.code === 413 || awaitsContinue);
  if (close || abandoned) answer.headers['Connection'] = 'close';
  try {
    if ('body' in answer) writeFixed(response, answer, message.method === 'HEAD', abandoned ? message : undefined);
    else {
      // Its end is all that is left of a request without a body. Unread, it would be torn down with an error and a
      // stack when the client goes.
      if (message.complete) message.resume();
      await writeStream(response, answer, message.method === 'HEAD', framer);
    }
  } catch {
    message.socket.destroy(); // headers that cannot be written
  }
}

/**
 * `abandoned`: a request whose body is still coming. Its answer is ended, and the connection closed, once that is over
 * or has taken too long.
 */
function writeFixed(response: ServerResponse, answer: FixedResponse, headOnly: boolean, abandoned: IncomingMessage | undefined): void {
  const { body, headers } = answer;
  let bytes = 0;
  for (const piece of body) bytes += piece.byteLength;
  if (!isBodiless(answer.code)) headers['Content-Length'] = String(bytes);
  response.writeHead(answer.code, headers);
  if (headOnly) response.end();
  else if (abandoned !== undefined) {
    response.write(Buffer.concat(body));
    lingerThen(abandoned, () => response.end());
  } else if (bytes <= ONE_WRITE_BYTES) response.end(toLatin1(body), 'latin1');
  else response.end(Buffer.concat(body));
}

/** As such a text Node puts head and body into one write; as a Buffer they would be two pieces. */
function toLatin1(body: readonly Buffer[]): string {
  let text = '';
  for (const piece of body) text += piece.toString('latin1');
  return text;
}

const ONE_WRITE_BYTES = 65_536;

/**
 * A close with unread bytes is a reset, which can destroy the answer before it is read (RFC 9112 section 9.6): they are
 * taken and dropped for a while.
 */
function lingerThen(message: IncomingMessage, end: () => void): void {
  const timer = setTimeout(end, LINGER_MS);
  message.once('close', () => {
    clearTimeout(timer);
    end();
  });
  message.resume();
}

async function writeStream(response: ServerResponse, answer: StreamResponse, headOnly: boolean, framer: ChunkFramer): Promise<void> {
  response.writeHead(answer.code, answer.headers);
  if (headOnly) {
    response.end();
    return discardResponse(answer);
  }
  const socket = response.socket ?? (await nextTurn(response));
  if (socket === undefined) return discardResponse(answer);
  // The reader waits for the head even when nothing follows for minutes; what is written in this turn goes out together
  // with it.
  socket.cork();
  response.flushHeaders();
  process.nextTick(() => socket.uncork());
  const writer = new Http1ResponseWriter(response, socket, response.chunkedEncoding ? framer : undefined);
  try {
    await answer.stream(writer);
    writer.end();
  } catch {
    writer.breakOff(); // the chain has logged it
  }
}

/**
 * A pipelined request gets the connection when the answers before it have ended. Undefined: the client went before
 * that.
 */
const nextTurn = (response: ServerResponse): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    response.once('socket', (socket: Socket) => resolve(socket));
    response.once('close', () => resolve(undefined));
  });
