/**
 * `/docs`: shows the OpenAPI documents of this server and can send requests. All files are served from here; the
 * content policy forbids requests to other hosts and inline scripts.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import { createDocument, type Document } from '../handlers/document.ts';
import { documentResponse } from '../handlers/document-response.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import type { Headers } from '../transports/request.ts';
import { textResponse } from '../responses/status-response.ts';
import { PAGE_CSS, PAGE_HTML, PAGE_SCRIPT } from './page.ts';
import { readViewerFile, type ResolveModule, VIEWER_FILES, VIEWER_PACKAGE, VIEWER_SCRIPT } from './viewer-files.ts';

/** Images in the viewer's style sheet are `data:` URLs. */
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

/** The page itself among the files below `/docs`. */
const PAGE = '';
const OWN_FILES: ReadonlyMap<string, string> = new Map([
  [PAGE, PAGE_HTML],
  ['page.css', PAGE_CSS],
  ['init.js', PAGE_SCRIPT],
]);

export interface DocsPathOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Default: `import.meta.resolve`. */
  readonly resolveModule?: ResolveModule;
}

/** Reads each file once, on first use. Without the viewer's package `/docs` responds with 404 and the reason. */
export function createDocsPath({ clock, resolveModule = (specifier) => import.meta.resolve(specifier) }: DocsPathOptions): ServedPath {
  const cached = new Map<string, Promise<Document | undefined>>();
  const read = async (name: string): Promise<Document | undefined> => {
    const own = OWN_FILES.get(name);
    const bytes = own === undefined ? await readViewerFile(name, resolveModule) : Buffer.from(own);
    return bytes === undefined
      ? undefined
      : createDocument(
          () => Promise.resolve(bytes),
          () => clock.now(),
        )();
  };
  const fileOf = (name: string): Promise<Document | undefined> => {
    let file = cached.get(name);
    if (file === undefined) {
      file = read(name);
      // Reading may fail temporarily, for example without free file descriptors; the next request retries.
      file.catch(() => cached.delete(name));
      cached.set(name, file);
    }
    return file;
  };
  return {
    path: '/docs',
    below: true,
    get: async ({ request }, { segments: [, name = PAGE] }) => {
      // References in the page are relative to `/docs`.
      if (name === PAGE && request.path.endsWith('/')) return moved('../docs');
      if (!OWN_FILES.has(name) && !VIEWER_FILES.includes(name)) return textResponse(404, '404 page not found\n');
      // Without the viewer the page would be blank.
      if (name === PAGE && (await fileOf(VIEWER_SCRIPT)) === undefined) return notInstalled();
      const file = await fileOf(name);
      return file === undefined ? notInstalled() : documentResponse(request, file, headersOf(name, file));
    },
  };
}

const headersOf = (name: string, { hash }: Document): Headers => ({
  'Content-Type': TYPES[name === PAGE ? 'html' : name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  // Weak, because file and gzip share the tag (RFC 9110 section 8.8.3.3).
  ETag: `W/"${hash}"`,
  Vary: 'Accept-Encoding',
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

const moved = (location: string) => textResponse(301, `moved to ${location}\n`, { Location: location });
const notInstalled = () => textResponse(404, `this page needs the package ${VIEWER_PACKAGE}, which is not installed\n`);
