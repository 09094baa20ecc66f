/** Writes one answer to an HTTP/1.1 connection: fixed bodies with one write, streams through a sink. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';
import { Http1Sink } from './http1-sink.ts';
import type { ChunkFramer } from './http1-sink.ts';
import type { ApiResponse, FixedResponse, StreamResponse } from './request.ts';

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
    if ('stream' in answer) await drop(answer);
    return;
  }
  // A body that nobody read stands between this answer and the next request. A small one is skipped by Node; the connection of
  // one that may be large is not worth its bytes.
  const abandoned = !message.complete && (answer.code === 413 || awaitsContinue);
  if (close || abandoned) answer.headers['Connection'] = 'close';
  if ('body' in answer) writeFixed(response, answer, message.method === 'HEAD');
  else await writeStream(response, answer, message.method === 'HEAD', framer);
  if (abandoned) response.once('finish', () => message.socket.destroySoon());
}

function writeFixed(response: ServerResponse, answer: FixedResponse, headOnly: boolean): void {
  const { body, headers } = answer;
  const [only] = body;
  const whole = body.length === 1 && only !== undefined ? only : Buffer.concat(body);
  headers['Content-Length'] = String(whole.byteLength);
  response.writeHead(answer.code, headers);
  if (headOnly) response.end();
  // As latin1 text Node puts head and body into one write; as a Buffer they would be two pieces.
  else if (whole.byteLength <= ONE_WRITE_BYTES) response.end(whole.toString('latin1'), 'latin1');
  else response.end(whole);
}

const ONE_WRITE_BYTES = 65_536;

async function writeStream(response: ServerResponse, answer: StreamResponse, headOnly: boolean, framer: ChunkFramer): Promise<void> {
  response.writeHead(answer.code, answer.headers);
  if (headOnly) {
    response.end();
    return drop(answer);
  }
  const socket = response.socket ?? (await nextTurn(response));
  if (socket === undefined) return drop(answer);
  // The reader waits for the head even when nothing follows for minutes; what is written in this turn goes out together with it.
  socket.cork();
  response.flushHeaders();
  process.nextTick(() => socket.uncork());
  const sink = new Http1Sink(response, socket, response.chunkedEncoding ? framer : undefined);
  try {
    await answer.stream(sink);
    sink.end();
  } catch {
    sink.breakOff(); // the chain has logged it
  }
}

/** A pipelined request gets the connection when the answers before it have ended. Undefined: the client went before that. */
const nextTurn = (response: ServerResponse): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    response.once('socket', (socket: Socket) => resolve(socket));
    response.once('close', () => resolve(undefined));
  });

/** Nobody reads: whoever made the stream still learns that it is over. */
const drop = (answer: StreamResponse): Promise<void> => answer.stream(GONE).catch(() => undefined);
const GONE: ByteSink = { write: () => false, drained: () => Promise.resolve(), queuedBytes: 0, closed: true };
