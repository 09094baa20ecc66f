/** `/openapi` of the built process: what the chain and the connection make of its answers. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/copied-tree.ts';
import { startServer, temporaryDirectory, type ServerProcess, type TemporaryDirectory } from '../support/server.ts';

const V1 = '/openapi/v3/apis/batch/v1';

describe('/openapi', () => {
  let directory: TemporaryDirectory;
  let server: ServerProcess;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startServer(['--data-dir', directory.path]);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await directory.remove();
  });

  it('leads from the index to every document, and lets it be kept', async () => {
    const index = (await server.get('/openapi/v3')).json() as { paths: Record<string, { serverRelativeURL: string }> };
    const documents = readdirSync(path.join(ROOT, 'schemas/openapi/v3'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
    expect(documents).not.toEqual([]);
    expect(Object.keys(index.paths).sort()).toEqual(documents.sort());
    for (const { serverRelativeURL } of Object.values(index.paths)) {
      const { code, headers } = await server.get(serverRelativeURL);
      expect({ code, control: headers['cache-control'] }).toEqual({ code: 200, control: 'public, immutable' });
    }
  });

  it('forbids caching where no hash is named', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3', V1])
      expect((await server.get(path)).headers['cache-control']).toBe('no-cache, private');
  });

  it('sends who names an older hash to the newest document', async () => {
    const moved = await server.get(`${V1}?hash=0`);
    expect(moved.code).toBe(301);
    expect((await server.get(moved.headers.location ?? '')).code).toBe(200);
  });

  it('answers 304 with the tag and without a length', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3', V1]) {
      const { etag } = (await server.get(path)).headers;
      const { code, headers, text } = await server.get(path, { 'If-None-Match': etag ?? '' });
      expect({ code, etag: headers.etag, length: headers['content-length'], text }).toEqual({
        code: 304,
        etag,
        length: undefined,
        text: '',
      });
    }
  });

  it('answers HEAD with the length and without the document', async () => {
    const { code, headers, text } = await server.send('HEAD', '/openapi/v2');
    expect({ code, text, long: Number(headers['content-length']) > 100_000 }).toEqual({ code: 200, text: '', long: true });
  });

  it('answers OpenAPI v2 as protobuf for who prefers it', async () => {
    const { code, headers } = await server.get('/openapi/v2', {
      Accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf, application/json',
      'Accept-Encoding': 'gzip',
    });
    expect([code, headers['content-type'], headers['content-encoding']]).toEqual([
      200,
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      'gzip',
    ]);
  });

  it('refuses a form that it does not have, other methods, and documents that are not there', async () => {
    const protobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    for (const path of ['/openapi/v2', '/openapi/v3/apis/batch/v1']) {
      expect((await server.get(path, { Accept: protobuf })).code).toBe(406);
      expect((await server.get(path, { Accept: `${protobuf}, application/json` })).headers['content-type']).toBe('application/json');
    }
    expect((await server.post('/openapi/v2', {})).code).toBe(405);
    expect((await server.get('/openapi/v3/apis/nothing/v1')).code).toBe(404);
    expect((await server.get('/openapi/v3/apis/../../../package')).code).toBe(404);
  });
});
