/**
 * Writes responses in the negotiated representation. Handlers produce compact JSON; this step converts it to YAML or
 * indented JSON, converts Status and other meta types to protobuf, and compresses large responses. Watches pass
 * unchanged.
 */
import { indentJson } from '../../apimachinery/json/indent-json.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { jsonToYaml } from '../../apimachinery/yaml/json-to-yaml.ts';
import type { Log } from '../../observability/logging.ts';
import { negotiate } from '../negotiation/accept.ts';
import { isRewritten, type Output, PRETTY_JSON, PROTOBUF } from '../negotiation/output.ts';
import { wantsPretty } from '../negotiation/pretty.ts';
import { createMetaMessages, type MetaMessages } from '../representations/meta-messages.ts';
import type { ApiResponse, Headers, StreamResponse } from '../transports/request.ts';
import { compress } from './compress.ts';
import type { Filter, IdentifiedContext, RequestContext } from './context.ts';
import { rewriteStream } from './rewrite-stream.ts';
import { toStatusResponse } from './write-status.ts';

export interface EncodeOptions {
  readonly log: Log;
}

/** Larger bodies are rewritten while they are sent. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json';

export const encode =
  ({ log }: EncodeOptions): Filter<IdentifiedContext> =>
  (next) => {
    const meta = createMetaMessages();
    const scheduler = new Scheduler();
    return async (context) => {
      const response = await next(context);
      const output = outputOf(response, context);
      try {
        const rewritten = output === undefined ? response : rewrite(response, output, context, { log, meta, scheduler });
        return context.longRunning ? rewritten : await compress(rewritten, context.request);
      } catch (error) {
        return toStatusResponse(new Error('the response could not be encoded', { cause: error }), context, log);
      }
    };
  };

/** Undefined: the response is sent unchanged. */
function outputOf(response: ApiResponse, context: RequestContext): Output | undefined {
  const isRefusal = response.code >= 400;
  const output = isRefusal ? outputOfRefusal(context) : context.output;
  if (output === undefined || (!isRewritten(output) && output.mediaType !== PROTOBUF) || (context.longRunning && !isRefusal))
    return undefined;
  return isJson(response.headers) ? output : undefined;
}

/** A Status has representations that the endpoint may lack. A client that accepts none of them gets indented JSON. */
function outputOfRefusal({ request }: RequestContext): Output {
  const { headers, query } = request;
  try {
    return negotiate(headers['accept'], { pretty: wantsPretty(query, headers['user-agent']), endpoint: 'other' });
  } catch (error) {
    if (error instanceof StatusError) return PRETTY_JSON;
    throw error;
  }
}

function isJson(headers: Headers): boolean {
  const type = headers['Content-Type'];
  return typeof type === 'string' && type.startsWith(JSON_TYPE);
}

interface Encoding extends EncodeOptions {
  readonly meta: MetaMessages;
  /** Shared by all streams that are being rewritten. */
  readonly scheduler: Scheduler;
}

function rewrite(response: ApiResponse, output: Output, context: IdentifiedContext, { meta, log, scheduler }: Encoding): ApiResponse {
  if (output.mediaType === PROTOBUF) return toProtobuf(response, meta);
  const { code, headers } = response;
  const isYaml = output.mediaType === 'application/yaml';
  if (isYaml) headers['Content-Type'] = String(headers['Content-Type']).replace(JSON_TYPE, output.mediaType);
  if ('stream' in response) return rewriteStream(response, output, context, { log, scheduler });
  const json = Buffer.concat(response.body);
  if (json.byteLength > MAX_BUFFERED_BYTES) return rewriteStream(toStream(response, json), output, context, { log, scheduler });
  return { code, headers, body: [isYaml ? Buffer.from(jsonToYaml(json)) : indentJson(json)] };
}

const toStream = ({ code, headers }: ApiResponse, bytes: Buffer): StreamResponse => ({
  code,
  headers,
  byteLength: bytes.byteLength,
  stream: async (writer) => {
    if (!writer.write(bytes)) await writer.drained();
  },
});

/** Streams and documents without a protobuf message stay JSON. */
function toProtobuf(response: ApiResponse, meta: MetaMessages): ApiResponse {
  if ('stream' in response) return response;
  const message = meta.fromJson(Buffer.concat(response.body));
  if (message === undefined) return response;
  response.headers['Content-Type'] = PROTOBUF;
  return { code: response.code, headers: response.headers, body: [message] };
}
