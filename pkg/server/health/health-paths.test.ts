/** The three paths through the whole chain, with a store and a watch cache that fail on demand. */
import { NO_TOKENS } from '../../../test/support/requester.ts';
import { describe, expect, it } from '@jest/globals';
import { YamlReader } from '../../apimachinery/yaml/yaml-reader.ts';
import { createAuthenticator } from '../../authentication/create-authenticator.ts';
import { createTestAuthorizer } from '../../../test/support/rbac-authorizer.ts';
import { silentLog } from '../../observability/logging.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { type BackendStatus, NO_REVISION } from '../../storage/backend.ts';
import { createApi } from '../create-api.ts';
import { OpenRequests } from '../filters/drain.ts';

const HEALTHY: BackendStatus = { kind: 'etcd', version: '3.5.21', bytes: 1, alarms: [], oldestRevision: NO_REVISION, clusterId: 'a' };

function open() {
  const state = {
    notReady: undefined as string | undefined,
    writes: undefined as string | undefined,
    storeFailure: undefined as string | undefined,
  };
  const clock = new ManualClock(0);
  const openRequests = new OpenRequests();
  const { respond } = createApi({
    served: [],
    reviews: [],
    backend: {
      status: async () => {
        if (state.storeFailure !== undefined) throw new Error(state.storeFailure);
        return HEALTHY;
      },
    },
    storeName: 'etcd',
    notReady: () => state.notReady,
    writeGates: [{ name: 'writes', notReady: () => state.writes, passes: () => false }],
    openRequests,
    authenticator: createAuthenticator({ tokens: [], audiences: [], anonymous: () => ({ enabled: true }) }),
    authorizer: createTestAuthorizer(),
    tokens: NO_TOKENS,
    version: { gitVersion: 'v1.36.0', runtime: 'node', platform: 'test' },
    openApi: { folder: '/none', groupSuffix: 'k8s.io' },
    yamlReader: new YamlReader(),
    log: silentLog,
    metrics: createMetrics({ version: 'v1.36.0', now: () => 0, processMetrics: false }),
    clock,
    newUid: () => 'uid',
    random: () => 0,
    requestTimeoutMs: 60_000,
    minWatchMs: 60_000,
  });
  const ask = async (target: string, method = 'GET') => {
    const [path = '', query = ''] = target.split('?');
    clock.advance(1000); // past what the store check remembers
    const answer = await respond({
      method,
      path,
      query,
      headers: {},
      protocol: 'http/1.1',
      secure: true,
      remoteAddress: '192.0.2.1',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    });
    if (!('body' in answer)) throw new Error('not fixed');
    return { code: answer.code, headers: answer.headers, text: Buffer.concat(answer.body).toString('utf8') };
  };
  const codes = async () => [(await ask('/livez')).code, (await ask('/healthz')).code, (await ask('/readyz')).code];
  return { state, openRequests, ask, codes };
}

describe('/livez, /healthz, /readyz', () => {
  it('name their checks', async () => {
    const { ask } = open();
    expect((await ask('/livez?verbose')).text).toBe('[+]ping ok\nlivez check passed\n');
    expect((await ask('/healthz?verbose')).text).toBe('[+]ping ok\n[+]etcd ok\nhealthz check passed\n');
    expect((await ask('/readyz?verbose')).text).toBe(
      '[+]ping ok\n[+]etcd ok\n[+]watch-cache ok\n[+]writes ok\n[+]shutdown ok\nreadyz check passed\n',
    );
  });

  it('answer HEAD and GET, with an id and nothing to keep', async () => {
    const { ask } = open();
    for (const method of ['GET', 'HEAD']) {
      expect(await ask('/readyz', method)).toMatchObject({
        code: 200,
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          'X-Content-Type-Options': 'nosniff',
          'Audit-Id': 'uid',
          'Cache-Control': 'no-cache, private',
        },
      });
    }
  });

  it('are ready only once the watch cache is filled', async () => {
    const { state, ask, codes } = open();
    state.notReady = 'the watch cache is being filled';
    expect(await codes()).toEqual([200, 200, 500]);
    expect((await ask('/readyz')).text).toContain('[-]watch-cache failed: reason withheld\n');
    state.notReady = undefined;
    expect(await codes()).toEqual([200, 200, 200]);
  });

  it('are ready only once writes are taken', async () => {
    const { state, ask, codes } = open();
    state.writes = 'something is not done yet';
    expect(await codes()).toEqual([200, 200, 500]);
    expect((await ask('/readyz')).text).toContain('[-]writes failed: reason withheld\n');
  });

  it('stay alive while the store is gone, but neither healthy nor ready', async () => {
    const { state, ask, codes } = open();
    state.storeFailure = 'connect ECONNREFUSED 10.0.0.1:2379';
    expect(await codes()).toEqual([200, 500, 500]);
    const { text } = await ask('/readyz?verbose');
    expect(text).toBe(
      '[+]ping ok\n[-]etcd failed: reason withheld\n[+]watch-cache ok\n[+]writes ok\n[+]shutdown ok\nreadyz check failed\n',
    );
    expect((await ask('/readyz/etcd')).text).not.toContain('10.0.0.1');
    expect((await ask('/readyz?exclude=etcd')).code).toBe(200);
    state.storeFailure = undefined;
    expect(await codes()).toEqual([200, 200, 200]);
  });

  it('are not ready from the moment that the server drains', async () => {
    const { openRequests, ask, codes } = open();
    openRequests.drain();
    expect(await codes()).toEqual([200, 200, 500]);
    expect((await ask('/readyz')).text).toContain('[-]shutdown failed: reason withheld\n');
  });
});
