/** GET of a collection: one page or everything, as cached bytes or in a derived representation. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { type ListMetaFields, listMeta } from '../representations/list-meta.ts';
import type { Headers } from '../transports/request.ts';
import { auditResponseList } from './audit-objects.ts';
import { parseListOptions } from './list-options.ts';
import type { ResourceHandler } from './resource-call.ts';

export const createList =
  (features: Features): ResourceHandler =>
  async ({ context, info, resource, representation }) => {
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    // `resourceVersion=0` ignores `limit`, as in Kubernetes.
    const found = await resource.store.list({ ...query, limit: query.at.at === 'any' ? 0 : limit }, context.signal);
    const page = representation?.arrange?.(found.page) ?? found.page;
    const metaFields = { ...found, shard: query.selection.shard };
    const head =
      representation === undefined ? Buffer.from(listHead(resource.kind.definition, metaFields)) : representation.listHead(metaFields);
    const tail = representation === undefined ? TAIL : representation.listTail;
    // An estimate for another representation, whose items are encoded while they are sent.
    const byteLength = (typeof head === 'function' ? 0 : head.byteLength) + page.byteLength + tail.byteLength;
    const headers: Headers = { 'Content-Type': representation?.contentType ?? 'application/json' };
    if (representation === undefined) headers['Content-Length'] = String(byteLength);
    if (representation !== undefined) {
      const plain = { head: Buffer.from(listHead(resource.kind.definition, metaFields)), tail: TAIL, encoding: 'identity' } as const;
      await auditResponseList(context, (writer) => page.writeTo(writer, plain));
    }
    const frame = { head, tail, ...(representation === undefined ? {} : { representation: representation.items }) } as const;
    return {
      code: 200,
      headers,
      byteLength,
      stream: (writer) => page.writeTo(writer, { ...frame, encoding: 'identity' }),
      ...(page.identityOnly === true ? {} : { gzipStream: (writer) => page.writeTo(writer, { ...frame, encoding: 'gzip' }) }),
    };
  };

const TAIL = Buffer.from(']}\n');

const listHead = ({ listKind, apiVersion }: ResourceDefinition, list: ListMetaFields): string =>
  `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`;
