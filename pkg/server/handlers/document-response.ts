/** Responds with a document, or with 304 when the client has it. */
import { namesTag } from '../negotiation/entity-tag.ts';
import type { ApiRequest, ApiResponse, Headers } from '../transports/request.ts';
import type { Document } from './document.ts';

/** `headers` extend and replace the document's own. */
export function documentResponse(request: ApiRequest, document: Document, headers: Headers = {}): ApiResponse {
  const etag = `"${document.hash}"`;
  const common = { ETag: etag, Vary: 'Accept, Accept-Encoding', ...headers };
  if (isFresh(request, etag, document.madeAt)) return { code: 304, headers: common, body: [] };
  return {
    code: 200,
    headers: { 'Content-Type': 'application/json', 'Last-Modified': new Date(document.madeAt).toUTCString(), ...common },
    body: [document.bytes],
    gzip: document.gzip,
  };
}

/** The date counts only without a tag (RFC 9110 section 13.2.2). */
function isFresh({ headers }: ApiRequest, etag: string, madeAt: number): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return namesTag(tags, etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(madeAt / 1000) * 1000 <= since;
}
