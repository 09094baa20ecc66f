import { describe, expect, it } from '@jest/globals';
import { RequestContext } from '../shell/context.ts';
import type { ApiRequest } from '../rims/request.ts';
import { createHealthPath, ping } from './health.ts';
import type { HealthCheck } from './health.ts';

const broken: HealthCheck = { name: 'store', run: () => ({ failure: 'it is gone' }) };
const noted: HealthCheck = { name: 'etcd', run: () => ({ note: '3.4.23 is past its end of life' }) };

async function ask(checks: readonly HealthCheck[], query = '', name?: string) {
  const request: ApiRequest = {
    method: 'GET',
    path: '/readyz',
    query,
    headers: {},
    protocol: 'http/1.1',
    secure: false,
    remoteAddress: '127.0.0.1',
    readBody: async () => Buffer.alloc(0),
    onGone: () => undefined,
  };
  const segments = name === undefined ? ['readyz'] : ['readyz', name];
  const path = createHealthPath('/readyz', checks);
  const response = await path.get(new RequestContext(request, 0), {
    isResource: false,
    verb: 'get',
    path: `/${segments.join('/')}`,
    segments,
  });
  if (!('body' in response)) throw new Error('not fixed');
  return { code: response.code, text: Buffer.concat(response.body).toString('utf8') };
}

describe('Health', () => {
  it('says ok', async () => {
    expect(await ask([ping, noted])).toEqual({ code: 200, text: 'ok' });
  });

  it('names every check and its note with ?verbose', async () => {
    expect(await ask([ping, noted], 'verbose')).toEqual({
      code: 200,
      text: '[+]ping ok\n[+]etcd ok: 3.4.23 is past its end of life\nreadyz check passed\n',
    });
  });

  it('answers 500 with every check when one fails', async () => {
    expect(await ask([ping, broken])).toEqual({ code: 500, text: '[+]ping ok\n[-]store failed: it is gone\nreadyz check failed\n' });
  });

  it('leaves out what is excluded', async () => {
    expect(await ask([ping, broken], 'exclude=store')).toEqual({ code: 200, text: 'ok' });
    expect((await ask([ping], 'verbose&exclude=other')).text).toContain(
      'warn: some health checks cannot be excluded: no matches for "other"',
    );
  });

  it('answers for one check alone', async () => {
    expect(await ask([ping, broken], '', 'ping')).toEqual({ code: 200, text: 'ok' });
    expect((await ask([ping, broken], '', 'store')).code).toBe(500);
    expect((await ask([ping, broken], '', 'other')).code).toBe(404);
  });
});
