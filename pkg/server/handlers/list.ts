/** GET of a collection: one page, or everything, as the joined bytes that the watch cache holds, or in another representation made from them. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { acceptsGzip, GZIP_FROM_BYTES } from '../negotiation/accept.ts';
import { isRewritten } from '../negotiation/output.ts';
import { type ListFacts, listMeta } from '../representations/list-meta.ts';
import type { Headers } from '../transports/request.ts';
import { parseListOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

export const createList =
  (features: Features): Handler =>
  async ({ context, info, resource, output, representation }) => {
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    // Who takes any state takes it whole.
    const found = await resource.store.list({ ...query, limit: query.at.at === 'any' ? 0 : limit }, context.signal);
    const facts = { ...found, shard: query.selection.shard };
    const head = representation === undefined ? Buffer.from(listHead(resource.kind.definition, facts)) : representation.listHead(facts);
    const tail = representation === undefined ? TAIL : representation.listTail;
    // Of another representation only an estimate: its objects are made while they are written.
    const byteLength = (typeof head === 'function' ? 0 : head.byteLength) + found.page.byteLength + tail.byteLength;
    const headers: Headers = { 'Content-Type': representation?.contentType ?? 'application/json' };
    const isLarge = byteLength > GZIP_FROM_BYTES;
    const encoding = isLarge && !isRewritten(output) && acceptsGzip(context.request.headers['accept-encoding']) ? 'gzip' : 'identity';
    if (encoding === 'gzip') {
      headers['Content-Encoding'] = 'gzip';
      headers['Vary'] = 'Accept-Encoding';
    } else if (representation === undefined) {
      headers['Content-Length'] = String(byteLength);
    }
    const frame = { head, tail, encoding, ...(representation === undefined ? {} : { representation: representation.items }) } as const;
    return { code: 200, headers, byteLength, stream: (writer) => found.page.writeTo(writer, frame) };
  };

const TAIL = Buffer.from(']}\n');

const listHead = ({ listKind, apiVersion }: ResourceDefinition, list: ListFacts): string =>
  `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`;
