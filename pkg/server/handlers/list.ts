/** GET of a collection: one page, or everything, as the joined bytes that the watch cache holds. */
import type { ListResult } from '../../registry/object-store.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { acceptsGzip, GZIP_FROM_BYTES } from '../negotiation/accept.ts';
import { isRewritten } from '../negotiation/output.ts';
import type { Headers } from '../rims/request.ts';
import { parseListOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

export const list: Handler = async ({ context, info, resource, output }) => {
  const { timeoutMs, ...query } = parseListOptions(context.query, resource.kind, info);
  if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
  const found = await resource.store.list(query, context.signal);
  const head = Buffer.from(listHead(resource.kind.definition, found));
  const byteLength = head.byteLength + found.page.byteLength + TAIL.byteLength;
  const headers: Headers = { 'Content-Type': 'application/json' };
  const isLarge = byteLength > GZIP_FROM_BYTES;
  const encoding = isLarge && !isRewritten(output) && acceptsGzip(context.request.headers['accept-encoding']) ? 'gzip' : 'identity';
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
