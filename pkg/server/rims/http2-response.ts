/** Writes one answer to an HTTP/2 stream. */
import { constants } from 'node:http2';
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ApiResponse, FixedResponse, StreamResponse } from './request.ts';
import { dropAnswer, isBodiless } from './request.ts';
import { Http2Sink } from './http2-sink.ts';

/** Never throws and never rejects: a reader that is gone is no failure. Resolves when the answer was ended. */
export async function writeHttp2Response(stream: ServerHttp2Stream, answer: ApiResponse, headOnly: boolean): Promise<void> {
  if (stream.closed || stream.destroyed) {
    if ('stream' in answer) await dropAnswer(answer);
    return;
  }
  try {
    await ('body' in answer ? writeFixed(stream, answer, headOnly) : writeStream(stream, answer, headOnly));
    if (!stream.endAfterHeaders && !stream.readableEnded) closeWhenSent(stream);
  } catch (error) {
    // Headers that cannot be written, or a reader that went in between.
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/** For a body that is still coming and that nobody will read (RFC 9113 section 8.1). */
function closeWhenSent(stream: ServerHttp2Stream): void {
  if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
  else stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
}

async function writeFixed(stream: ServerHttp2Stream, { code, headers, body }: FixedResponse, headOnly: boolean): Promise<void> {
  const head = toHead(code, headers);
  let bytes = 0;
  for (const piece of body) bytes += piece.byteLength;
  if (!isBodiless(code)) head['content-length'] = bytes;
  if (headOnly || bytes === 0 || isBodiless(code)) {
    stream.respond(head, { endStream: true });
    return;
  }
  stream.respond(head);
  const [only] = body;
  if (bytes <= ONE_WRITE_BYTES) {
    stream.end(body.length === 1 ? only : Buffer.concat(body));
    return;
  }
  const sink = new Http2Sink(stream);
  for (const piece of body) if (!sink.write(piece)) await sink.drained();
  sink.end();
}

const ONE_WRITE_BYTES = 65_536;

async function writeStream(stream: ServerHttp2Stream, answer: StreamResponse, headOnly: boolean): Promise<void> {
  const head = toHead(answer.code, answer.headers);
  if (headOnly) {
    stream.respond(head, { endStream: true });
    return dropAnswer(answer);
  }
  stream.respond(head);
  const sink = new Http2Sink(stream);
  try {
    await answer.stream(sink);
    sink.end();
  } catch {
    sink.breakOff(); // the chain has logged it
  }
}

/** They speak of a connection of HTTP/1.1; a peer that gets one resets the stream (RFC 9113 section 8.2.2). */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

function toHead(code: number, headers: ApiResponse['headers']): OutgoingHttpHeaders {
  const head: OutgoingHttpHeaders = { ':status': code };
  for (const written of Object.keys(headers)) {
    const name = written.toLowerCase();
    if (!CONNECTION_HEADERS.has(name)) head[name] = headers[written];
  }
  return head;
}
