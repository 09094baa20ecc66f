/**
 * `/docs`: a page that shows the OpenAPI documents of this server and sends requests to it. Everything it needs is served from here; its
 * policy forbids the browser to ask any other host, and to run anything that stands in the page itself.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ServedPath } from '../handlers/path-table.ts';
import { acceptsGzip } from '../negotiation/accept.ts';
import { namesTag } from '../negotiation/entity-tag.ts';
import type { ApiResponse, Headers } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import { textResponse } from '../filters/write-status.ts';
import { PAGE_CSS, PAGE_HTML, PAGE_SCRIPT } from './page.ts';
import { readViewerFile, VIEWER_FILES, VIEWER_PACKAGE, VIEWER_SCRIPT } from './viewer-files.ts';
import type { ResolveModule } from './viewer-files.ts';

/** Pictures in the viewer's style sheet are `data:` URLs. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

/** Smaller files are sent as they are. */
const GZIP_FROM_BYTES = 4096;
/** Stands for the page itself among the names below `/docs`. */
const PAGE = '';
const OWN_FILES: ReadonlyMap<string, string> = new Map([
  [PAGE, PAGE_HTML],
  ['page.css', PAGE_CSS],
  ['init.js', PAGE_SCRIPT],
]);

/** One file as it is sent. */
interface Asset {
  readonly type: string;
  readonly hash: string;
  readonly bytes: Buffer;
  /** Compressed. Absent: not worth it. */
  readonly packed: Buffer | undefined;
}

/** Reads each file once, when it is first asked for. Without the viewer's package `/docs` answers 404 and says why. */
export function createDocsPath(resolveModule: ResolveModule = (specifier) => import.meta.resolve(specifier)): ServedPath {
  const read = new Map<string, Promise<Asset | undefined>>();
  const assetOf = (name: string): Promise<Asset | undefined> => {
    let asset = read.get(name);
    if (asset === undefined) {
      asset = readAsset(name, resolveModule);
      // What cannot be read now may be readable later, when there are file descriptors again.
      asset.catch(() => read.delete(name));
      read.set(name, asset);
    }
    return asset;
  };
  return {
    path: '/docs',
    below: true,
    get: async (context, { segments: [, name = PAGE] }) => {
      if (name === PAGE && context.request.path.endsWith('/')) return moved('../docs'); // the page's own references count on it
      if (!OWN_FILES.has(name) && !VIEWER_FILES.includes(name)) return textResponse(404, '404 page not found\n');
      // A page without its viewer would be blank.
      if (name === PAGE && (await assetOf(VIEWER_SCRIPT)) === undefined) return notInstalled();
      const asset = await assetOf(name);
      return asset === undefined ? notInstalled() : assetResponse(asset, context);
    },
  };
}

async function readAsset(name: string, resolveModule: ResolveModule): Promise<Asset | undefined> {
  const own = OWN_FILES.get(name);
  const bytes = own === undefined ? await readViewerFile(name, resolveModule) : Buffer.from(own);
  if (bytes === undefined) return undefined;
  const type = TYPES[name === PAGE ? 'html' : name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const packed = bytes.byteLength >= GZIP_FROM_BYTES ? await promisify(gzip)(bytes) : undefined;
  return { type, hash: createHash('sha256').update(bytes).digest('hex'), bytes, packed };
}

function assetResponse({ type, hash, bytes, packed }: Asset, { request }: RequestContext): ApiResponse {
  const body = packed !== undefined && acceptsGzip(request.headers['accept-encoding']) ? packed : bytes;
  // Other bytes, another tag (RFC 9110 section 8.8.3.3).
  const tag = body === packed ? `"${hash}-gzip"` : `"${hash}"`;
  const headers: Headers = {
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': POLICY,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  if (namesTag(request.headers['if-none-match'], tag)) return { code: 304, headers, body: [] };
  headers['Content-Type'] = type;
  if (body === packed) headers['Content-Encoding'] = 'gzip';
  return { code: 200, headers, body: [body] };
}

const moved = (location: string) => textResponse(301, `moved to ${location}\n`, { Location: location });
const notInstalled = () => textResponse(404, `this page needs the package ${VIEWER_PACKAGE}, which is not installed beside the server\n`);
