/** How a document goes out: with its ETag, compressed for who takes that, and not at all to who has it already. */
import { acceptsGzip } from '../negotiation/accept.ts';
import { namesTag } from '../negotiation/entity-tag.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import type { Headers } from '../transports/request.ts';
import type { Document } from './document.ts';

/** `headers` come on top of the document's own. */
export async function documentResponse({ headers: asked }: ApiRequest, document: Document, headers: Headers = {}): Promise<ApiResponse> {
  const etag = `"${document.hash}"`;
  const common = { ETag: etag, Vary: 'Accept, Accept-Encoding', ...headers };
  if (isKnown(asked, etag, document.madeAt)) return { code: 304, headers: common, body: [] };
  const packed = acceptsGzip(asked['accept-encoding']);
  return {
    code: 200,
    headers: {
      'Content-Type': 'application/json',
      ...common,
      'Last-Modified': new Date(document.madeAt).toUTCString(),
      ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: [packed ? await document.gzipped() : document.bytes],
  };
}

/** RFC 9110 section 13.2.2: the date counts only for those who send no tag. */
function isKnown(asked: ApiRequest['headers'], etag: string, madeAt: number): boolean {
  const tags = asked['if-none-match'];
  if (tags !== undefined) return namesTag(tags, etag);
  const since = Date.parse(asked['if-modified-since'] ?? '');
  return Math.floor(madeAt / 1000) * 1000 <= since;
}
