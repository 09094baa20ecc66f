/** Writes a response to an HTTP/2 stream. */
import { ERROR_CODE } from '../../http2/frames.ts';
import type { WrittenField } from '../../http2/hpack-encoder.ts';
import type { ServerStream } from '../../http2/server-stream.ts';
import { responseFields } from './http2-response-fields.ts';
import { type ApiResponse, discardResponse, type FixedResponse, isBodiless, type StreamResponse } from './request.ts';
import { Http2ResponseWriter } from './native-http2-response-writer.ts';

export interface Http2WriteOptions {
  readonly headOnly: boolean;
  /** Value of the header. */
  readonly date: string;
}

/** Never throws or rejects; a disconnected client is not an error. Resolves when the response has ended. */
export async function writeHttp2Response(stream: ServerStream, answer: ApiResponse, { headOnly, date }: Http2WriteOptions): Promise<void> {
  if (stream.closed) {
    if ('stream' in answer) await discardResponse(answer);
    return;
  }
  const head = toHead(answer, date);
  if (head === undefined) {
    stream.reset(ERROR_CODE.internalError);
    if ('stream' in answer) await discardResponse(answer);
  } else if ('body' in answer) writeFixed(stream, head, answer, headOnly);
  else await writeStream(stream, head, answer, headOnly);
}

function writeFixed(stream: ServerStream, head: WrittenField[], { code, body }: FixedResponse, headOnly: boolean): void {
  let bytes = 0;
  for (const { byteLength } of body) bytes += byteLength;
  if (!isBodiless(code)) head.push({ name: 'content-length', value: String(bytes), once: true });
  const endsStream = headOnly || bytes === 0 || isBodiless(code);
  stream.respond(head, endsStream);
  if (endsStream) return;
  stream.end(body);
}

async function writeStream(stream: ServerStream, head: readonly WrittenField[], answer: StreamResponse, headOnly: boolean): Promise<void> {
  stream.respond(head, headOnly);
  if (headOnly) return discardResponse(answer);
  const writer = new Http2ResponseWriter(stream);
  try {
    await answer.stream(writer);
    writer.end();
  } catch {
    writer.abort(); // logged by the chain
  }
}

/** Fields with recurring values. Others would fill the client's header table. */
const COMMON_FIELDS = new Set(['content-type', 'cache-control', 'content-encoding', 'vary', 'x-content-type-options', 'allow']);

/** Undefined when a header value is not valid. */
function toHead(answer: ApiResponse, date: string): WrittenField[] | undefined {
  const fields = responseFields(answer)?.map(([name, value]) => ({ name, value, once: !COMMON_FIELDS.has(name) }));
  if (fields === undefined) return undefined;
  return [{ name: ':status', value: String(answer.code) }, { name: 'date', value: date, once: true }, ...fields];
}
