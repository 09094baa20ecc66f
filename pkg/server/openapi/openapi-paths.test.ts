import { createHash } from 'node:crypto';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { viewsOf } from '../../apis/kind-view.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createReviews } from '../../apis/reviews.gen.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import type { ApiRequest, FixedResponse } from '../transports/request.ts';
import { testContext } from '../../../test/support/request-context.ts';
import { compress } from '../filters/compress.ts';
import { V2_PROTOBUF } from './negotiate.ts';
import { createOpenApiPaths } from './openapi-paths.ts';

const folder = path.resolve(import.meta.dirname, '../../../schemas/openapi');
const now = Date.parse('2026-02-28T10:00:00.500Z');
const clock = { ...systemClock, now: () => now };

const open = (groupSuffix = DEFAULT_GROUP_SUFFIX, from = folder) => {
  const kinds = createKinds({ groupSuffix });
  const resources = [...kinds, ...viewsOf(kinds), ...createReviews({ groupSuffix })];
  return createOpenApiPaths({ resources, documents: { folder: from, groupSuffix }, clock });
};

async function ask(paths: readonly ServedPath[], url: string, headers: ApiRequest['headers'] = {}): Promise<FixedResponse> {
  const [name = '', query = ''] = url.split('?');
  const request: ApiRequest = {
    method: 'GET',
    path: name,
    query,
    headers,
    protocol: 'http/1.1',
    secure: true,
    remoteAddress: '::1',
    readBody: () => Promise.resolve(Buffer.alloc(0)),
    onDisconnect: () => undefined,
  };
  const found = paths.find((each) => each.path === name);
  if (found === undefined) throw new Error(`${name} is not served`);
  const info = { isResource: false, verb: 'get', path: name, segments: name.split('/').slice(1) } as const;
  const answer = await compress(await found.get(testContext(request), info), request);
  if (!('body' in answer)) throw new Error('a stream');
  return answer;
}

const bytesOf = ({ body }: FixedResponse) => Buffer.concat(body);
const jsonOf = (answer: FixedResponse): unknown => JSON.parse(bytesOf(answer).toString());
const hashOf = (bytes: Buffer) => createHash('sha512').update(bytes).digest('hex').toUpperCase();

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
interface Gvk {
  readonly group: string;
}
interface Served {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string; readonly 'x-kubernetes-group-version-kind'?: Gvk }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly 'x-kubernetes-group-version-kind'?: readonly Gvk[] }>> };
}
const V1 = '/openapi/v3/apis/batch/v1';

describe('the index of OpenAPI documents', () => {
  it('names one document for every group version, and those around them', async () => {
    const { paths } = jsonOf(await ask(open(), '/openapi/v3')) as Index;
    const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });
    const resources = [...kinds, ...viewsOf(kinds), ...createReviews({ groupSuffix: DEFAULT_GROUP_SUFFIX })];
    const names = resources.flatMap(({ definition: { group, version } }) => {
      const name = group === '' ? 'api' : `apis/${group}`;
      return [name, `${name}/${version}`];
    });
    expect(names).toEqual(expect.arrayContaining(['api/v1', 'apis/batch', 'apis/batch/v1']));
    expect(Object.keys(paths).sort()).toEqual([...new Set(['apis', 'version', ...names])].sort());
  });

  it('leads to each document by the hash of its bytes', async () => {
    const served = open();
    const { paths } = jsonOf(await ask(served, '/openapi/v3')) as Index;
    for (const [name, { serverRelativeURL }] of Object.entries(paths)) {
      const answer = await ask(served, serverRelativeURL);
      expect({ name, code: answer.code }).toEqual({ name, code: 200 });
      expect(serverRelativeURL).toBe(`/openapi/v3/${name}?hash=${hashOf(bytesOf(answer))}`);
    }
  });

  it('has a tag of its own, and is not sent again to who has it', async () => {
    const served = open();
    const answer = await ask(served, '/openapi/v3');
    expect(answer.headers['ETag']).toBe(`"${hashOf(bytesOf(answer))}"`);
    const again = await ask(served, '/openapi/v3', { 'if-none-match': String(answer.headers['ETag']) });
    expect({ code: again.code, bytes: bytesOf(again).byteLength }).toEqual({ code: 304, bytes: 0 });
  });
});

describe('an OpenAPI document', () => {
  it('may be kept for a year when it was asked for by its hash', async () => {
    const served = open();
    const hash = hashOf(bytesOf(await ask(served, V1)));
    expect((await ask(served, `${V1}?hash=${hash}`)).headers).toMatchObject({
      'Cache-Control': 'public, immutable',
      Expires: 'Sun, 28 Feb 2027 10:00:00 GMT',
      Vary: 'Accept, Accept-Encoding',
      ETag: `"${hash}"`,
      'Content-Type': 'application/json',
      'Last-Modified': 'Sat, 28 Feb 2026 10:00:00 GMT',
    });
    expect((await ask(served, V1)).headers).not.toHaveProperty('Cache-Control');
  });

  it('is elsewhere when another hash is asked for', async () => {
    const served = open();
    const hash = hashOf(bytesOf(await ask(served, V1)));
    expect(await ask(served, `${V1}?hash=0123`)).toMatchObject({ code: 301, headers: { Location: `${V1}?hash=${hash}` }, body: [] });
  });

  it.each(['/openapi/v2', V1])('%s is not sent again to who has it', async (url) => {
    const served = open();
    const { headers } = await ask(served, url);
    const tag = String(headers['ETag']);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect(await ask(served, url, { 'if-none-match': header })).toMatchObject({ code: 304, headers: { ETag: tag }, body: [] });
    }
    expect((await ask(served, url, { 'if-none-match': '"other"' })).code).toBe(200);
    expect((await ask(served, url, { 'if-modified-since': String(headers['Last-Modified']) })).code).toBe(304);
    expect((await ask(served, url, { 'if-modified-since': 'Sat, 28 Feb 2026 09:59:59 GMT' })).code).toBe(200);
    expect((await ask(served, url, { 'if-modified-since': String(headers['Last-Modified']), 'if-none-match': '"other"' })).code).toBe(200);
    expect((await ask(served, url, { 'if-modified-since': 'soon' })).code).toBe(200);
  });

  it.each(['/openapi/v2', V1])('%s is compressed for who takes that, once', async (url) => {
    const served = open();
    const plain = await ask(served, url);
    const [first, second] = [await ask(served, url, { 'accept-encoding': 'gzip' }), await ask(served, url, { 'accept-encoding': 'gzip' })];
    expect(first.headers['Content-Encoding']).toBe('gzip');
    expect(gunzipSync(bytesOf(first)).equals(bytesOf(plain))).toBe(true);
    expect(first.body[0]).toBe(second.body[0]);
    expect(plain.headers).not.toHaveProperty('Content-Encoding');
  });

  const PROTOBUF = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
  it.each([undefined, '', '*/*', 'application/*', 'application/json', `${PROTOBUF}, application/json`, `${PROTOBUF},*/*;q=0.1`])(
    'is JSON for Accept: %s',
    async (accept) => {
      for (const url of ['/openapi/v2', V1]) {
        expect(await ask(open(), url, { accept })).toMatchObject({ code: 200, headers: { 'Content-Type': 'application/json' } });
      }
    },
  );

  it.each([V2_PROTOBUF, V2_PROTOBUF.replace('v2.v1', 'v2@v1'), `${V2_PROTOBUF.replace('v2.v1', 'v2@v1')},application/json`])(
    '/openapi/v2 is protobuf for Accept: %s, and the same whoever asks',
    async (accept) => {
      const served = open();
      const answer = await ask(served, '/openapi/v2', { accept });
      expect(answer).toMatchObject({ code: 200, headers: { 'Content-Type': V2_PROTOBUF } });
      expect(answer.headers['ETag']).toBe(`"${hashOf(bytesOf(answer))}"`);
      const tag = String(answer.headers['ETag']);
      expect(await ask(served, '/openapi/v2', { accept, 'if-none-match': tag })).toMatchObject({ code: 304, body: [] });
      expect((await ask(served, '/openapi/v2', { 'if-none-match': tag })).code).toBe(200);
      await expect(ask(served, V1, { accept: V2_PROTOBUF })).rejects.toMatchObject({ reason: 'NotAcceptable' });
    },
  );

  it.each([PROTOBUF, 'text/html', 'application/json;q=0', ','])('is not to be had for Accept: %s', async (accept) => {
    for (const url of ['/openapi/v2', V1]) {
      await expect(ask(open(), url, { accept })).rejects.toMatchObject({ reason: 'NotAcceptable' });
    }
  });

  it('is read when it is asked for and not before; a file that is missing fails that request only', async () => {
    const served = open(DEFAULT_GROUP_SUFFIX, path.join(folder, 'nowhere'));
    await expect(ask(served, V1)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('another group suffix', () => {
  const suffix = 'example.com';
  const groups = (document: Served) => [
    ...Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap((each) => each['x-kubernetes-group-version-kind'] ?? []),
    ),
    ...Object.values(document.components.schemas).flatMap((schema) => schema['x-kubernetes-group-version-kind'] ?? []),
  ];

  it('is in the names, paths and kinds of every document', async () => {
    const served = open(suffix);
    const { paths } = jsonOf(await ask(served, '/openapi/v3')) as Index;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([`apis/events.${suffix}`, `apis/storage.${suffix}/v1`, 'apis/batch/v1']));
    for (const { serverRelativeURL } of Object.values(paths)) {
      const document = jsonOf(await ask(served, serverRelativeURL)) as Served;
      const named = [...Object.keys(document.paths), ...groups(document).map(({ group }) => group)];
      expect(named.filter((name) => name.includes(DEFAULT_GROUP_SUFFIX))).toEqual([]);
    }
    const events = jsonOf(await ask(served, `/openapi/v3/apis/events.${suffix}/v1`)) as Served;
    expect(Object.keys(events.paths)).toContain(`/apis/events.${suffix}/v1/events`);
    expect(new Set(groups(events).map(({ group }) => group))).toEqual(new Set(['', `events.${suffix}`]));
  });

  it('changes nothing else', async () => {
    const url = (groupSuffix: string) => `/openapi/v3/apis/storage.${groupSuffix}/v1`;
    const text = bytesOf(await ask(open(), url(DEFAULT_GROUP_SUFFIX))).toString();
    const other = bytesOf(await ask(open(suffix), url(suffix))).toString();
    expect(JSON.parse(other.replaceAll(`storage.${suffix}`, `storage.${DEFAULT_GROUP_SUFFIX}`))).toEqual(JSON.parse(text));
    const whole = (groupSuffix: string) => ask(open(groupSuffix), '/openapi/v2');
    expect(bytesOf(await whole(suffix)).toString()).not.toContain(`.${DEFAULT_GROUP_SUFFIX}`);
    expect(bytesOf(await whole(DEFAULT_GROUP_SUFFIX)).toString()).toContain(`.${DEFAULT_GROUP_SUFFIX}`);
  });
});
