/** GET of a collection: one page, or everything, as the joined bytes that the watch cache holds. */
import type { ListResult } from '../../registry/object-store.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { acceptsGzip } from '../negotiation/accept.ts';
import type { Headers } from '../rims/request.ts';
import { parseListOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

/** As Kubernetes: below this, gzip costs more than it saves. */
const GZIP_FROM_BYTES = 128 * 1024;

export const list: Handler = async ({ context, info, resource }) => {
  const { timeoutMs, ...query } = parseListOptions(context.query, resource.kind, info);
  if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
  const found = await resource.store.list(query, context.signal);
  const head = Buffer.from(listHead(resource.kind.definition, found));
  const byteLength = head.byteLength + found.page.byteLength + TAIL.byteLength;
  const headers: Headers = { 'Content-Type': 'application/json' };
  const encoding = byteLength > GZIP_FROM_BYTES && acceptsGzip(context.request.headers['accept-encoding']) ? 'gzip' : 'identity';
  if (encoding === 'gzip') {
    headers['Content-Encoding'] = 'gzip';
    headers['Vary'] = 'Accept-Encoding';
  } else {
    headers['Content-Length'] = String(byteLength);
  }
  return { code: 200, headers, stream: (sink) => found.page.writeTo(sink, { head, tail: TAIL, encoding }) };
};

const TAIL = Buffer.from(']}\n');

function listHead({ listKind, apiVersion }: ResourceDefinition, { revision, continueToken, remainingItemCount }: ListResult): string {
  const metadata = {
    resourceVersion: String(revision),
    ...(continueToken === undefined ? {} : { continue: continueToken }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
  return `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
}
