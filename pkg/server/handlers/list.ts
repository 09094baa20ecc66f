/** GET of a collection: one page, or everything, as the joined bytes that the watch cache holds, or in another form made from them. */
import type { ListResult } from '../../registry/object-store.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { acceptsGzip, GZIP_FROM_BYTES } from '../negotiation/accept.ts';
import { isRewritten } from '../negotiation/output.ts';
import { listMeta } from '../forms/list-meta.ts';
import type { Headers } from '../rims/request.ts';
import { parseListOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

export const list: Handler = async ({ context, info, resource, output, form }) => {
  const { timeoutMs, ...query } = parseListOptions(context.query, resource.kind, info);
  if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
  const found = await resource.store.list(query, context.signal);
  const head = form === undefined ? Buffer.from(listHead(resource.kind.definition, found)) : form.listHead(found);
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

const listHead = ({ listKind, apiVersion }: ResourceDefinition, list: ListResult): string =>
  `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`;
