import { describe, expect, it } from '@jest/globals';
import type { UserInfo } from '../../authentication/authenticator.ts';
import { type Log, type LogFields, silentLog } from '../../observability/logging.ts';
import type { ApiRequest } from '../transports/request.ts';
import { testContext } from '../../../test/support/request-context.ts';
import { createHealthPath, type HealthCheck, ping } from './health.ts';

const broken: HealthCheck = { name: 'store', run: () => ({ failure: 'it is gone' }) };
const noted: HealthCheck = { name: 'etcd', run: () => ({ note: '3.4.23 is past its end of life' }) };
const alice: UserInfo = { name: 'alice', groups: ['system:authenticated'] };
const anonymous: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

interface Asked {
  readonly query?: string;
  readonly name?: string;
  readonly user?: UserInfo;
  readonly log?: Log;
}

async function ask(checks: readonly HealthCheck[], { query = '', name, user = alice, log = silentLog }: Asked = {}) {
  const segments = name === undefined ? ['readyz'] : ['readyz', name];
  const path = `/${segments.join('/')}`;
  const request: ApiRequest = {
    method: 'GET',
    path,
    query,
    headers: {},
    protocol: 'http/1.1',
    secure: true,
    remoteAddress: '127.0.0.1',
    readBody: async () => Buffer.alloc(0),
    onDisconnect: () => undefined,
  };
  const context = testContext(request, { user });
  const served = createHealthPath({ path: '/readyz', checks, log });
  const response = await served.get(context, { isResource: false, verb: 'get', path, segments });
  if (!('body' in response)) throw new Error('not fixed');
  return { code: response.code, headers: response.headers, text: Buffer.concat(response.body).toString('utf8') };
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };

describe('Health', () => {
  it('says ok', async () => {
    expect(await ask([ping, noted])).toEqual({ code: 200, headers: TEXT, text: 'ok' });
  });

  it.each(['verbose', 'verbose=', 'verbose=0', 'x=1&verbose'])('names every check and its note with ?%s', async (query) => {
    expect(await ask([ping, noted], { query })).toMatchObject({
      code: 200,
      text: '[+]ping ok\n[+]etcd ok: 3.4.23 is past its end of life\nreadyz check passed\n',
    });
  });

  it('answers 500 with every check when one fails, but not why', async () => {
    expect(await ask([ping, broken])).toEqual({
      code: 500,
      headers: TEXT,
      text: '[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n',
    });
  });

  it('says why in the log', async () => {
    const lines: [string, LogFields | undefined][] = [];
    const log: Log = { ...silentLog, debug: (message, fields) => void lines.push([message, fields]) };
    await ask([ping, broken], { log });
    await ask([ping, noted], { log });
    expect(lines).toEqual([['health check failed', { path: '/readyz', failures: ['store: it is gone'] }]]);
  });

  it('leaves out what is excluded, once or several times', async () => {
    expect(await ask([ping, broken], { query: 'exclude=store' })).toMatchObject({ code: 200, text: 'ok' });
    expect(await ask([ping, broken], { query: 'verbose&exclude=store&exclude=ping&exclude=store' })).toMatchObject({
      code: 200,
      text: '[+]ping excluded: ok\n[+]store excluded: ok\nreadyz check passed\n',
    });
  });

  it('does not run what is excluded', async () => {
    const never: HealthCheck = {
      name: 'never',
      run: () => {
        throw new Error('it ran');
      },
    };
    expect((await ask([ping, never], { query: 'exclude=never' })).code).toBe(200);
  });

  it('warns of exclusions that match nothing, in order', async () => {
    const warning = 'warn: some health checks cannot be excluded: no matches for "","other","zebra"\n';
    const query = 'exclude=zebra&exclude=other&exclude=';
    expect((await ask([ping], { query: `verbose&${query}` })).text).toBe(`[+]ping ok\n${warning}readyz check passed\n`);
    expect((await ask([ping], { query })).text).toBe('ok');
    expect((await ask([broken], { query })).text).toBe(`[-]store failed: reason withheld\n${warning}readyz check failed\n`);
  });

  it('answers for one check alone', async () => {
    expect(await ask([ping, broken], { name: 'ping' })).toEqual({ code: 200, headers: TEXT, text: 'ok' });
    expect(await ask([ping, broken], { name: 'other' })).toMatchObject({ code: 404, text: '404 page not found\n' });
  });

  it('says why one check failed, to whoever was authenticated', async () => {
    expect(await ask([ping, broken], { name: 'store' })).toEqual({
      code: 500,
      headers: TEXT,
      text: 'internal server error: it is gone\n',
    });
    expect(await ask([ping, broken], { name: 'store', user: anonymous })).toMatchObject({
      code: 500,
      text: 'internal server error: reason withheld\n',
    });
  });
});
