/** Decides whether a response is sent as gzip. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsGzip } from '../negotiation/accept.ts';
import type { ApiRequest, ApiResponse, FixedResponse, StreamResponse } from '../transports/request.ts';
import { GZIP_LEVEL, GzipResponseWriter } from './gzip-response-writer.ts';
import { addVary } from './vary.ts';

/** Smaller responses are not worth the time, as in Kubernetes, unless their gzip is cached. */
export const GZIP_FROM_BYTES = 128 * 1024;

const gzipBytes = promisify(gzip);

/** Compresses the response when the client accepts gzip and it is large enough. Not for watches. */
export async function compress(response: ApiResponse, { headers }: ApiRequest): Promise<ApiResponse> {
  if (!isWorthwhile(response) || !acceptsGzip(headers['accept-encoding'])) return response;
  const compressed = 'body' in response ? await compressedBody(response) : compressedStream(response);
  delete compressed.headers['Content-Length'];
  compressed.headers['Content-Encoding'] = 'gzip';
  addVary(compressed.headers, 'Accept-Encoding');
  return compressed;
}

function isWorthwhile(response: ApiResponse): boolean {
  if ('stream' in response) return streamBytes(response) > GZIP_FROM_BYTES;
  if (response.gzip !== undefined) return true;
  let bytes = 0;
  for (const { byteLength } of response.body) bytes += byteLength;
  return bytes > GZIP_FROM_BYTES;
}

/** 0 when unknown. */
const streamBytes = ({ byteLength, headers }: StreamResponse): number => byteLength ?? Number(headers['Content-Length'] ?? 0);

async function compressedBody({ code, headers, body, gzip: cached }: FixedResponse): Promise<FixedResponse> {
  return { code, headers, body: [cached === undefined ? await gzipBytes(Buffer.concat(body), { level: GZIP_LEVEL }) : await cached()] };
}

const compressedStream = ({ code, headers, stream, gzipStream }: StreamResponse): StreamResponse => ({
  code,
  headers,
  stream:
    gzipStream ??
    (async (writer) => {
      const output = new GzipResponseWriter(writer);
      try {
        await stream(output);
        if (!writer.closed) await output.end();
      } finally {
        output.destroy();
      }
    }),
});
