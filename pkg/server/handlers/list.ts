/** GET of a collection: one page, or everything, as the joined bytes that the watch cache holds, or in another form made from them. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { acceptsGzip, GZIP_FROM_BYTES } from '../negotiation/accept.ts';
import { isRewritten } from '../negotiation/output.ts';
import { type ListFacts, listMeta } from '../forms/list-meta.ts';
import type { Headers } from '../rims/request.ts';
import { parseListOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

export const createList =
  (features: Features): Handler =>
  async ({ context, info, resource, output, form }) => {
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    // Who takes any state takes it whole.
    const found = await resource.store.list({ ...query, limit: query.at.at === 'any' ? 0 : limit }, context.signal);
    const facts = { ...found, shard: query.selection.shard };
    const head = form === undefined ? Buffer.from(listHead(resource.kind.definition, facts)) : form.listHead(facts);
    const tail = form === undefined ? TAIL : form.listTail;
    // Of another form only an estimate: its objects are made while they are written.
    const byteLength = (typeof head === 'function' ? 0 : head.byteLength) + found.page.byteLength + tail.byteLength;
    const headers: Headers = { 'Content-Type': form?.contentType ?? 'application/json' };
    const isLarge = byteLength > GZIP_FROM_BYTES;
    const encoding = isLarge && !isRewritten(output) && acceptsGzip(context.request.headers['accept-encoding']) ? 'gzip' : 'identity';
    if (encoding === 'gzip') {
      headers['Content-Encoding'] = 'gzip';
      headers['Vary'] = 'Accept-Encoding';
    } else if (form === undefined) {
      headers['Content-Length'] = String(byteLength);
    }
    const frame = { head, tail, encoding, ...(form === undefined ? {} : { form: form.derived }) } as const;
    return { code: 200, headers, byteLength, stream: (sink) => found.page.writeTo(sink, frame) };
  };

const TAIL = Buffer.from(']}\n');

const listHead = ({ listKind, apiVersion }: ResourceDefinition, list: ListFacts): string =>
  `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`;
