/**
 * Writes answers in the form that was agreed on: handlers answer compact JSON, and this step makes YAML or indented JSON of it, or protobuf of what is no
 * object of a resource, refusals included, and compresses what is large. A watch, and an answer that is to be compact JSON, pass as they are.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { indentJson, JsonIndenter } from '../../apimachinery/json/indent-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { JsonToYaml, jsonToYaml } from '../../apimachinery/yaml/json-to-yaml.ts';
import type { Log } from '../../observability/logging.ts';
import { Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { createMetaMessages, type MetaMessages } from '../representations/meta-messages.ts';
import { acceptsGzip, GZIP_FROM_BYTES, negotiate } from '../negotiation/accept.ts';
import { isRewritten, PRETTY_JSON, PROTOBUF } from '../negotiation/output.ts';
import type { Output } from '../negotiation/output.ts';
import { wantsPretty } from '../negotiation/pretty.ts';
import type { ApiResponse, FixedResponse, Headers, StreamResponse } from '../transports/request.ts';
import type { Filter, RequestContext } from './context.ts';
import { GZIP_LEVEL, GzipResponseWriter } from './gzip-response-writer.ts';
import { SegmentQueue } from './segment-queue.ts';
import { toStatusResponse } from './write-status.ts';

export interface EncodeOptions {
  readonly log: Log;
}

/** Larger bodies are rewritten piece by piece, while they are sent. */
const AT_ONCE_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json';

export const encode =
  ({ log }: EncodeOptions): Filter =>
  (next) => {
    const meta = createMetaMessages();
    const scheduler = new Scheduler();
    return async (context) => {
      const answer = await next(context);
      const output = outputOf(answer, context);
      if (output === undefined && !isLarge(answer)) return answer;
      try {
        return await encoded(answer, output, context, { log, meta, scheduler });
      } catch (error) {
        return toStatusResponse(new Error('the answer could not be encoded', { cause: error }), context, log);
      }
    };
  };

/** Undefined: the answer stays compact JSON, or is none. */
function outputOf(answer: ApiResponse, context: RequestContext): Output | undefined {
  const refused = answer.code >= 400;
  const output = refused ? outputOfRefusal(context) : context.output;
  if (output === undefined || (!isRewritten(output) && output.mediaType !== PROTOBUF) || (context.longRunning && !refused))
    return undefined;
  return isCompactJson(answer.headers) ? output : undefined;
}

/** A Status can be sent in another form than what was asked for; if in none, as JSON for whoever looks into it. */
function outputOfRefusal({ request }: RequestContext): Output {
  const { headers, query } = request;
  try {
    return negotiate(headers['accept'], { pretty: wantsPretty(query, headers['user-agent']), endpoint: 'other' });
  } catch (error) {
    if (error instanceof StatusError) return PRETTY_JSON;
    throw error;
  }
}

function isCompactJson(headers: Headers): boolean {
  const type = headers['Content-Type'];
  return typeof type === 'string' && type.startsWith(JSON_TYPE) && headers['Content-Encoding'] === undefined;
}

function isLarge(answer: ApiResponse): boolean {
  return 'body' in answer && byteLengthOf(answer.body) > GZIP_FROM_BYTES;
}

function byteLengthOf(body: readonly Buffer[]): number {
  let bytes = 0;
  for (const piece of body) bytes += piece.byteLength;
  return bytes;
}

interface Encoding extends EncodeOptions {
  readonly meta: MetaMessages;
  /** Of all answers that are rewritten at the same time. */
  readonly scheduler: Scheduler;
}

async function encoded(answer: ApiResponse, output: Output | undefined, context: RequestContext, encoding: Encoding): Promise<ApiResponse> {
  if (output === undefined) return 'body' in answer ? compressed(answer, context) : answer;
  if (output.mediaType === PROTOBUF) return inProtobuf(answer, context, encoding.meta);
  const { code, headers } = answer;
  if (output.mediaType === 'application/yaml')
    headers['Content-Type'] = String(headers['Content-Type']).replace(JSON_TYPE, output.mediaType);
  if (!('body' in answer)) return rewrittenStream(answer, output, context, encoding);
  if (byteLengthOf(answer.body) > AT_ONCE_BYTES) {
    const { body } = answer;
    const stream = async (writer: ResponseWriter) => {
      for (const piece of body) if (!writer.write(piece)) await writer.drained();
    };
    return rewrittenStream({ code, headers, byteLength: byteLengthOf(body), stream }, output, context, encoding);
  }
  const json = Buffer.concat(answer.body);
  const body = [output.mediaType === 'application/yaml' ? Buffer.from(jsonToYaml(json)) : indentJson(json)];
  return compressed({ code, headers, body }, context);
}

/** Of a document that has no such form, and of a stream, the JSON. */
async function inProtobuf(answer: ApiResponse, context: RequestContext, meta: MetaMessages): Promise<ApiResponse> {
  if (!('body' in answer)) return answer;
  const sealed = meta.fromJson(Buffer.concat(answer.body));
  if (sealed === undefined) return compressed(answer, context);
  answer.headers['Content-Type'] = PROTOBUF;
  return compressed({ ...answer, body: [sealed] }, context);
}

const gzipAtOnce = promisify(gzip);

async function compressed(answer: FixedResponse, context: RequestContext): Promise<FixedResponse> {
  const { code, headers, body } = answer;
  if (!isLarge(answer) || headers['Content-Encoding'] !== undefined || !acceptsGzip(context.request.headers['accept-encoding']))
    return answer;
  nameGzip(headers);
  return { code, headers, body: [await gzipAtOnce(Buffer.concat(body), { level: GZIP_LEVEL })] };
}

function nameGzip(headers: Headers): void {
  headers['Content-Encoding'] = 'gzip';
  headers['Vary'] = 'Accept-Encoding';
}

function rewrittenStream(answer: StreamResponse, output: Output, context: RequestContext, { log, scheduler }: Encoding): StreamResponse {
  const { code, headers, stream } = answer;
  const compactBytes = answer.byteLength ?? Number(headers['Content-Length'] ?? Infinity);
  delete headers['Content-Length'];
  const isCompressed = compactBytes > GZIP_FROM_BYTES && acceptsGzip(context.request.headers['accept-encoding']);
  if (isCompressed) nameGzip(headers);
  return {
    code,
    headers,
    stream: async (writer) => {
      const queue = new SegmentQueue(writer);
      const broken = Promise.withResolvers<never>();
      const written = stream(queue).then(
        () => queue.end(),
        (error: unknown) => {
          const failure = error instanceof Error ? error : new Error(String(error));
          queue.end(failure);
          broken.reject(failure);
        },
      );
      try {
        // A reader that takes nothing must not keep the answer from breaking off: only that ends the wait for it.
        await Promise.race([
          isCompressed ? rewriteCompressed(queue, output, writer, scheduler) : rewrite(queue, output, writer, scheduler),
          broken.promise,
        ]);
      } catch (error) {
        const { method, path } = context.request;
        if (error !== queue.failure) log.error('an answer could not be encoded', { method, path, auditId: context.auditId, error });
        throw error;
      } finally {
        queue.close();
        await written;
      }
    },
  };
}

async function rewriteCompressed(queue: SegmentQueue, output: Output, writer: ResponseWriter, scheduler: Scheduler): Promise<void> {
  const zipped = new GzipResponseWriter(writer);
  try {
    await rewrite(queue, output, zipped, scheduler);
    if (!writer.closed) await zipped.end();
  } finally {
    await zipped.destroy();
  }
}

/** Ends early when the reader is gone. */
async function rewrite(queue: SegmentQueue, { mediaType }: Output, writer: ResponseWriter, scheduler: Scheduler): Promise<void> {
  const rewriter = mediaType === 'application/yaml' ? new JsonToYaml() : new JsonIndenter();
  const task = new ScheduledTask(scheduler);
  for (;;) {
    const bytes = await queue.next();
    if (bytes === undefined) rewriter.end();
    else rewriter.feed(bytes);
    for (let piece = rewriter.read(); piece !== undefined; piece = rewriter.read()) {
      if (!writer.write(piece)) await writer.drained();
      if (writer.closed) return;
      if (task.shouldYield()) await task.yield();
    }
    if (bytes === undefined) return;
  }
}
