import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createPathRouter } from '../handlers/path-router.ts';
import type { ApiRequest } from '../transports/request.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { testContext } from '../../../test/support/request-context.ts';
import { compress } from '../filters/compress.ts';
import { parseRequestInfo } from '../filters/parse-request-info.ts';
import { createDocsPath } from './docs-path.ts';
import { PAGE_CSS, PAGE_HTML, PAGE_SCRIPT } from './page.ts';
import { type ResolveModule, VIEWER_FILES } from './viewer-files.ts';

/** Sends a path through the server's parser. */
function openDocs(resolveModule?: ResolveModule) {
  const docs = createDocsPath({ clock: systemClock, ...(resolveModule === undefined ? {} : { resolveModule }) });
  const router = createPathRouter([docs]);
  return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const request: ApiRequest = {
      method: 'GET',
      path,
      query: '',
      headers,
      protocol: 'http/1.1',
      secure: false,
      remoteAddress: '127.0.0.1',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    };
    const context = testContext(request);
    const info = parseRequestInfo('GET', path, context.query);
    if (info.isResource) throw new Error('not a path of the page');
    const answer = await compress(await router.respond(context, info), request);
    if (!('body' in answer)) throw new Error('not fixed');
    return { code: answer.code, headers: answer.headers, body: Buffer.concat(answer.body) };
  };
}

describe('/docs', () => {
  const get = openDocs();

  it('answers with the page', async () => {
    const { code, headers, body } = await get('/docs');
    expect({ code, type: headers['Content-Type'], text: body.toString() }).toEqual({
      code: 200,
      type: 'text/html; charset=utf-8',
      text: PAGE_HTML,
    });
  });

  it.each([
    ['page.css', 'text/css; charset=utf-8', PAGE_CSS],
    ['init.js', 'text/javascript; charset=utf-8', PAGE_SCRIPT],
  ])('serves its own %s', async (name, type, text) => {
    const { headers, body } = await get(`/docs/${name}`);
    expect([headers['Content-Type'], body.toString()]).toEqual([type, text]);
  });

  it.each(VIEWER_FILES)('serves %s of the viewer, with a type that fits its name', async (name) => {
    const { code, headers, body } = await get(`/docs/${name}`);
    expect(code).toBe(200);
    expect(headers['Content-Type']).toMatch(
      name.endsWith('.js') ? /^text\/javascript/ : name.endsWith('.css') ? /^text\/css/ : /^image\/png$/,
    );
    expect(body.byteLength).toBeGreaterThan(500);
  });

  it('serves every file that the page refers to', async () => {
    const names = [...PAGE_HTML.matchAll(/(?:href|src)="docs\/([^"]*)"/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect({ name, code: (await get(`/docs/${name}`)).code }).toEqual({ name, code: 200 });
  });

  it.each(['/docs', '/docs/init.js', '/docs/swagger-ui-bundle.js'])('forbids %s other hosts, inline scripts and frames', async (path) => {
    const { headers } = await get(path);
    const policy = String(headers['Content-Security-Policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({ 'X-Frame-Options': 'DENY', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
  });

  it('has no script, style or handler that stands in the page itself', () => {
    expect(PAGE_HTML).not.toMatch(/<script>|<style|\son[a-z]+=|style=|https?:|"\//);
  });

  it('compresses its files for clients that accept that, under one weak tag', async () => {
    const plain = await get('/docs/swagger-ui-bundle.js');
    const packed = await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect([plain.headers['Content-Encoding'], packed.headers['Content-Encoding']]).toEqual([undefined, 'gzip']);
    expect([plain.headers['Vary'], packed.headers['Vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.byteLength).toBeLessThan(plain.body.byteLength / 2);
    expect(packed.headers['ETag']).toBe(plain.headers['ETag']);
    expect(packed.headers['ETag']).toMatch(/^W\//);
  });

  it('answers 304 to whoever has the same bytes', async () => {
    const tag = String((await get('/docs/init.js')).headers['ETag']);
    for (const known of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const { code, body, headers } = await get('/docs/init.js', { 'if-none-match': known });
      expect({ code, bytes: body.byteLength, tag: headers['ETag'] }).toEqual({ code: 304, bytes: 0, tag });
    }
    expect((await get('/docs/init.js', { 'if-none-match': '"other"' })).code).toBe(200);
  });

  it('leads a path with a slash at its end to the page', async () => {
    expect(await get('/docs/')).toMatchObject({ code: 301, headers: { Location: '../docs' } });
  });

  it.each([
    '/docs/package.json',
    '/docs/index.html',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/%2e%2e%5cpackage.json',
    '/docs/..%5Cpackage.json',
    '/docs/swagger-ui.css%3F',
    '/docs/swagger-ui.css/x',
  ])('does not know %s', async (path) => {
    expect(await get(path)).toMatchObject({ code: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  });

  it.each(['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/..%2fpackage.json', '/docs//init.js', '/docs/init.js%00'])(
    'refuses %s',
    async (path) => {
      await expect(get(path)).rejects.toThrow('the request path');
    },
  );

  it('says what is missing when the viewer is not installed', async () => {
    const missing = openDocs((specifier) => new URL(`no-such-folder/${specifier}`, import.meta.url).href);
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js']) {
      const { code, body } = await missing(path);
      expect({ code, text: body.toString() }).toEqual({ code: 404, text: expect.stringContaining('swagger-ui-dist') });
    }
    const unknown = openDocs((specifier) => import.meta.resolve(`no-${specifier}`));
    expect((await unknown('/docs')).code).toBe(404);
  });

  it('reads each file once', async () => {
    const asked: string[] = [];
    const counted = openDocs((specifier) => {
      asked.push(specifier);
      return import.meta.resolve(specifier);
    });
    await Promise.all([counted('/docs'), counted('/docs'), counted('/docs/swagger-ui.css'), counted('/docs/swagger-ui.css')]);
    expect(asked.sort()).toEqual(['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css']);
  });
});
