/** Writes a response to an HTTP/1.1 connection: fixed bodies with one write, streams through a writer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LINGER_MS } from './transport-limits.ts';
import { type ChunkFramer, Http1ResponseWriter } from './http1-response-writer.ts';
import { type ApiResponse, discardResponse, type FixedResponse, isBodiless, type StreamResponse } from './request.ts';

export interface Http1WriteOptions {
  readonly framer: ChunkFramer;
  /** Closes the connection after this response. */
  readonly close: boolean;
  /** The client got no `100 Continue`, so it may or may not send its body. */
  readonly awaitsContinue: boolean;
}

/** Never throws or rejects; a disconnected client is not an error. */
export async function writeHttp1Response(
  message: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  { framer, close, awaitsContinue }: Http1WriteOptions,
): Promise<void> {
  if (response.destroyed) {
    if ('stream' in answer) await discardResponse(answer);
    return;
  }
  // An unread body precedes the next request. Node skips small ones; for large ones the connection is closed.
  const abandoned = !message.complete && (answer.code === 413 || awaitsContinue);
  if (close || abandoned) answer.headers['Connection'] = 'close';
  try {
    if ('body' in answer) writeFixed(response, answer, message.method === 'HEAD', abandoned ? message : undefined);
    else {
      // Consumes the end of an empty body; otherwise a disconnect would create an error with a stack.
      if (message.complete) message.resume();
      await writeStream(response, answer, message.method === 'HEAD', framer);
    }
  } catch {
    message.socket.destroy(); // the headers are not valid
  }
}

/** `abandoned`: a request whose body is incomplete. Its response ends when the body does, or after a timeout. */
function writeFixed(response: ServerResponse, answer: FixedResponse, headOnly: boolean, abandoned: IncomingMessage | undefined): void {
  const { body, headers } = answer;
  let bytes = 0;
  for (const { byteLength } of body) bytes += byteLength;
  if (!isBodiless(answer.code)) headers['Content-Length'] = String(bytes);
  response.writeHead(answer.code, headers);
  if (headOnly) response.end();
  else if (abandoned !== undefined) {
    response.write(Buffer.concat(body));
    lingerThen(abandoned, () => response.end());
  } else if (bytes <= ONE_WRITE_BYTES) response.end(toLatin1(body), 'latin1');
  else response.end(Buffer.concat(body));
}

/** Node joins head and body into one write for strings, not for Buffers. */
function toLatin1(body: readonly Buffer[]): string {
  let text = '';
  for (const bytes of body) text += bytes.toString('latin1');
  return text;
}

const ONE_WRITE_BYTES = 65_536;

/** Reads and drops the body: closing with unread bytes sends a reset that can destroy the response (RFC 9112 § 9.6). */
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
  const socket = response.socket ?? (await assignedSocket(response));
  if (socket === undefined) return discardResponse(answer);
  // Sends the head even if no event follows for minutes, together with what is written in this tick.
  socket.cork();
  response.flushHeaders();
  process.nextTick(() => socket.uncork());
  const writer = new Http1ResponseWriter(response, socket, response.chunkedEncoding ? framer : undefined);
  try {
    await answer.stream(writer);
    writer.end();
  } catch {
    writer.abort(); // logged by the chain
  }
}

/** A pipelined request gets the socket after the responses before it. Undefined when the client disconnects first. */
const assignedSocket = (response: ServerResponse): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    response.once('socket', (socket: Socket) => resolve(socket));
    response.once('close', () => resolve(undefined));
  });
