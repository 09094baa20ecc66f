/** The API in-process, over a real object store on the embedded backend. */
import { NO_TOKENS } from '../../test/support/requester.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../apimachinery/time/clock.ts';
import { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import { DEFAULT_GROUP_SUFFIX } from '../apis/group-suffix.ts';
import { createKinds } from '../apis/kinds.gen.ts';
import { createReviews } from '../apis/reviews.gen.ts';
import { insecurePortAuthenticator } from '../authentication/insecure-port.ts';
import { createTestAuthorizer } from '../../test/support/rbac-authorizer.ts';
import type { Log } from '../observability/logging.ts';
import { createMetrics } from '../observability/metrics.ts';
import { openRegistry } from '../registry/registry.ts';
import { openEmbeddedBackend } from '../storage/embedded/open-embedded-backend.ts';
import { createApi } from './create-api.ts';
import { openInsecureListener } from './lifecycle/listener.ts';
import { OpenRequests } from './filters/drain.ts';

const logged: string[] = [];
const keep = (message: string) => logged.push(message);
const log: Log = { error: keep, warn: keep, info: () => undefined, debug: () => undefined };

async function open() {
  const dir = await mkdtemp(join(tmpdir(), 'coxswain-api-'));
  const clock = systemClock;
  const metrics = createMetrics({ version: 'v1.36.0', now: () => clock.now(), processMetrics: false });
  const backend = await openEmbeddedBackend({ dir, clock });
  const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });
  const registry = await openRegistry({
    backend,
    kinds,
    clock,
    random: randomBytes,
    newUid: randomUUID,
    log,
    identity: 'test',
    groupSuffix: DEFAULT_GROUP_SUFFIX,
    eventTtlMs: 3_600_000,
    representationCacheBytes: 1 << 20,
    ringBytes: 1 << 20,
  });
  const openRequests = new OpenRequests();
  const state = { writes: undefined as string | undefined };
  const { respond } = createApi({
    served: registry.served,
    reviews: createReviews({ groupSuffix: DEFAULT_GROUP_SUFFIX }),
    backend,
    storeName: 'store',
    notReady: () => registry.notReady,
    writeGates: [{ name: 'writes', notReady: () => state.writes, passes: ({ resource }) => resource === 'storageversions' }],
    openRequests,
    authenticator: insecurePortAuthenticator,
    authorizer: createTestAuthorizer(),
    tokens: NO_TOKENS,
    version: { gitVersion: 'v1.36.0', runtime: 'node', platform: 'test' },
    openApi: { folder: resolve(import.meta.dirname, '../../schemas/openapi'), groupSuffix: DEFAULT_GROUP_SUFFIX },
    yamlReader: new YamlReader(),
    log,
    metrics,
    clock,
    newUid: randomUUID,
    random: () => 0,
    requestTimeoutMs: 60_000,
    minWatchMs: 60_000,
  });
  const listener = await openInsecureListener({ port: 0, respond, openRequests, clock });
  await registry.watchCache.filled();
  return {
    url: listener.url,
    openRequests,
    state,
    stopListening: () => listener.stop(5000),
    close: async () => {
      await listener.stop(0);
      await registry.close();
      await backend.close();
      await rm(dir, { recursive: true });
    },
  };
}

let api: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  api = await open();
});
afterAll(async () => {
  await api.close();
});

const revisions = '/apis/apps/v1/namespaces/a/controllerrevisions';
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(api.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
/** Reads everything from one connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
const revision = (name: string, more: object = {}) => ({ metadata: { name }, revision: 1, data: { a: 1 }, ...more });

describe('The API', () => {
  it('gives every answer an id and forbids caching', async () => {
    const own = await send('GET', '/apis');
    expect(own.headers.get('audit-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(own.headers.get('cache-control')).toBe('no-cache, private');
    const named = await send('GET', '/nothing', undefined, { 'audit-id': 'mine-1' });
    expect(named.headers.get('audit-id')).toBe('mine-1');
  });

  it('names the allowed methods with a 405', async () => {
    expect((await send('PUT', revisions)).headers.get('allow')).toBe('GET, POST, DELETE');
    expect((await send('POST', `${revisions}/x`)).headers.get('allow')).toBe('GET, PUT, PATCH, DELETE');
    expect((await send('POST', '/apis/apps/v1/controllerrevisions', revision('x'))).status).toBe(405);
    expect((await send('DELETE', '/apis/apps/v1/controllerrevisions')).status).toBe(405);
    expect((await send('POST', '/apis/apps/v1/watch/controllerrevisions')).headers.get('allow')).toBe('GET');
    expect((await send('DELETE', '/apis/batch/v1/namespaces/a/cronjobs/x/status')).headers.get('allow')).toBe('GET, PUT, PATCH');
  });

  it('answers reads, and asks writers to come again, until writes are served', async () => {
    expect((await send('POST', revisions, revision('gate'))).status).toBe(201);
    api.state.writes = 'something is not done yet';
    const path = `${revisions}/gate`;
    const writes: readonly (readonly [string, string, unknown?])[] = [
      ['POST', revisions, revision('late')],
      ['POST', `${revisions}?dryRun=All`, revision('late')],
      ['PUT', path, revision('gate')],
      ['PUT', '/apis/batch/v1/namespaces/a/cronjobs/x/status', {}],
      ['PATCH', path, {}],
      ['DELETE', path],
      ['DELETE', revisions],
    ];
    for (const [method, target, body] of writes) {
      const answer = await send(method, target, body);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable', details: { retryAfterSeconds: 1 } });
    }
    for (const target of [path, revisions, `${revisions}?watch=1&timeoutSeconds=1`]) expect((await send('GET', target)).status).toBe(200);
    // A resource whose writes are accepted before the condition is met.
    expect((await send('DELETE', '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/batch.cronjobs')).status).toBe(404);
    expect((await send('PATCH', revisions)).status).toBe(405);
    api.state.writes = undefined;
    expect((await send('DELETE', path)).status).toBe(200);
  });

  it('warns of unknown and duplicate fields, drops them silently, or refuses them, as fieldValidation asks', async () => {
    const body = '{"metadata":{"name":"fields"},"revision":1,"revision":2,"data":{},"extra":1}';
    const warned = await send('POST', `${revisions}?dryRun=All`, body);
    expect(warned.status).toBe(201);
    expect(warned.headers.get('warning')).toContain('299 - "unknown field \\"extra\\""');
    expect(warned.headers.get('warning')).toContain('299 - "duplicate field \\"revision\\""');
    const ignored = await send('POST', `${revisions}?dryRun=All&fieldValidation=Ignore`, body);
    expect([ignored.status, ignored.headers.get('warning')]).toEqual([201, null]);
    const strict = await send('POST', `${revisions}?dryRun=All&fieldValidation=Strict`, body);
    expect(await strict.json()).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message:
        'ControllerRevision in version "v1" cannot be handled as a ControllerRevision: ' +
        'strict decoding error: duplicate field "revision", unknown field "extra"',
    });
  });

  it('names an unknown field with quotes or control characters so that one can see them', async () => {
    const body = String.raw`{"metadata":{"name":"fields"},"data":{},"a\"b\\c\u0007":1}`;
    const named = String.raw`unknown field "a\"b\\c\a"`;
    const warned = await send('POST', `${revisions}?dryRun=All`, body);
    expect([warned.status, warned.headers.get('warning')]).toEqual([201, `299 - ${JSON.stringify(named)}`]);
    const strict = await send('POST', `${revisions}?dryRun=All&fieldValidation=Strict`, body);
    expect(await strict.json()).toMatchObject({ code: 400, message: expect.stringContaining(`strict decoding error: ${named}`) });
  });

  it('warns on failure too, once the body was read', async () => {
    const refused = await send('POST', revisions, { metadata: { name: 'Bad_Name' }, data: {}, extra: 1 });
    expect([refused.status, refused.headers.get('warning')]).toEqual([422, '299 - "unknown field \\"extra\\""']);
  });

  it('refuses the kind and apiVersion of another path', async () => {
    expect((await send('POST', revisions, revision('x', { kind: 'CronJob' }))).status).toBe(400);
    expect((await send('POST', revisions, revision('x', { apiVersion: 'apps/v2' }))).status).toBe(400);
  });

  it('sends a large list compressed to those who take it', async () => {
    const bulk = 'x'.repeat(200_000);
    await send('POST', '/apis/apps/v1/namespaces/gzip/controllerrevisions', revision('bulky', { data: { bulk } }));
    const packed = await send('GET', '/apis/apps/v1/namespaces/gzip/controllerrevisions', undefined, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.text()).toContain(bulk);
    const plain = await send('GET', '/apis/apps/v1/namespaces/gzip/controllerrevisions', undefined, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(await plain.text())));
  });

  it('deletes a collection by selector and answers a Status', async () => {
    const collection = '/apis/apps/v1/namespaces/sweep/controllerrevisions';
    for (const [name, app] of [
      ['one', 'x'],
      ['two', 'x'],
      ['three', 'y'],
    ]) {
      await send('POST', collection, { metadata: { name, labels: { app } }, revision: 1, data: {} });
    }
    const answer = await send('DELETE', `${collection}?labelSelector=app%3Dx`);
    expect(await answer.json()).toMatchObject({ kind: 'Status', status: 'Success' });
    const left = (await (await send('GET', collection)).json()) as { items: { metadata: { name: string } }[] };
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['three']);
  });

  it('looks at the media type of a delete only when it has a body', async () => {
    const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('DELETE', `${revisions}/none`, undefined, formHeaders)).status).toBe(404);
    expect((await send('DELETE', `${revisions}/none`, '{}', formHeaders)).status).toBe(415);
  });

  it('ends a watch in good order after timeoutSeconds', async () => {
    const answer = await send('GET', '/apis/apps/v1/controllerrevisions?watch=1&timeoutSeconds=1&resourceVersion=0');
    expect(answer.headers.get('transfer-encoding')).toBe('chunked');
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ type: 'ADDED' });
  });

  it('guards the Host of a request target that is a whole URL, and takes no second Host', async () => {
    const host = new URL(api.url).host;
    expect(await exchange(`GET ${api.url}/livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await exchange(`GET http://elsewhere.example/livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 403 /,
    );
    expect(await exchange(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await exchange(`CONNECT a:1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1.1 405 /);
  });

  it('answers 431 to a URL that is too long', async () => {
    const get = (characters: number) =>
      exchange(`GET /readyz?${'x'.repeat(characters - '/readyz'.length)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await get(65_536)).toMatch(/^HTTP\/1.1 200 /);
    expect(await get(65_537)).toMatch(/^HTTP\/1.1 431 [^]*the request URL is too long: limit is 65536 characters\n$/);
  });

  it('asks for a body that waits for 100 Continue only when it will read it', async () => {
    const post = (more: string, body = '') =>
      exchange(`POST ${revisions}?dryRun=All HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${more}\r\n\r\n${body}`);
    expect(await post('Content-Length: 99999999')).toMatch(/^HTTP\/1.1 413 [^]*Connection: close/);
    expect(await post('Content-Type: text/plain\r\nContent-Length: 2')).toMatch(/^HTTP\/1.1 415 [^]*Connection: close/);
    const body = JSON.stringify(revision('expected'));
    expect(await post(`Connection: close\r\nContent-Length: ${body.length}`, body)).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /,
    );
  });

  it('counts the events of a watch while it runs, and the requests it gave up', async () => {
    const stop = new AbortController();
    const watch = await fetch(`${api.url}/apis/policy/v1/poddisruptionbudgets?watch=1`, { signal: stop.signal });
    await send('POST', '/apis/policy/v1/namespaces/a/poddisruptionbudgets', { metadata: { name: 'counted' }, spec: {} });
    await watch.body?.getReader().read();
    await (await send('GET', '/apis/policy/v1/poddisruptionbudgets')).text();
    const late = await send('GET', `${revisions}?resourceVersion=99999999&timeout=20ms`);
    expect(late.status).toBe(504);
    const other = await (await send('GET', '/metrics')).text();
    stop.abort();
    expect(other).toMatch(/apiserver_watch_events_total\{[^}]*resource="poddisruptionbudgets"\} 1\n/);
    expect(other).toMatch(/apiserver_response_sizes_count\{verb="LIST",[^}]*resource="poddisruptionbudgets"[^}]*\} 1\n/);
    expect(other).not.toMatch(/apiserver_longrunning_requests\{verb="(?!WATCH)/);
    expect(other).toMatch(/apiserver_request_terminations_total\{verb="LIST",[^}]*code="504"\} 1\n/);
  });

  it('refuses a timeout that is no duration', async () => {
    expect((await send('GET', '/apis?timeout=soon')).status).toBe(400);
    expect((await send('GET', '/apis?timeout=32s')).status).toBe(200);
  });

  it('keeps what a client makes up out of the metrics', async () => {
    await send('GET', '/apis/apps/v1/namespaces/a/madeups/x');
    await send('GET', '/apis/madeup/v1/things');
    const text = await (await send('GET', '/metrics')).text();
    expect(text).not.toContain('madeup');
    expect(text).toMatch(/apiserver_request_total\{verb="POST",[^}]*resource="controllerrevisions"[^}]*code="201"\} [1-9]/);
  });

  it('turns readyz red and ends watches when it drains', async () => {
    const other = await open();
    const watch = await fetch(`${other.url}/apis/apps/v1/controllerrevisions?watch=1`);
    const ended = watch.text();
    const probe = fetch(`${other.url}/readyz`);
    expect((await probe).status).toBe(200);
    other.openRequests.drain();
    await ended;
    const red = await fetch(`${other.url}/readyz`);
    expect([red.status, await red.text()]).toEqual([500, expect.stringContaining('[-]shutdown failed: reason withheld')]);
    await other.stopListening();
    await other.close();
  });

  it('logged no bug on the way', () => {
    expect(logged).toEqual([]);
  });
});
