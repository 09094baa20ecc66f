/**
 * Hostile requests over raw TLS connections, HTTP/1.1 and HTTP/2, without credentials, with few rights and with many:
 * no crash, no 500, nothing that the client may not see, and no memory that stays. `make fuzz` sends 100,000;
 * `HOSTILE_SEED` says where to begin.
 */
import { request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INSPECTABLE, liveMemory } from '../bench/live-memory.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { HTTP2_IMPLEMENTATIONS } from '../../pkg/server/transports/http2-transport.ts';
import { waitFor } from '../support/wait.ts';
import { attack, CANARY, CLIENTS } from './attack.ts';

const fuzzRuns = Number(process.env['PROPERTY_RUNS'] ?? '');
/** Of both implementations of HTTP/2 together: a tenth of what `make fuzz` gives to readers. */
const REQUESTS = fuzzRuns > 0 ? Math.ceil(fuzzRuns / 10) : 2000;
const SEED = Number(process.env['HOSTILE_SEED'] ?? (fuzzRuns > 0 ? Date.now() % 1e9 : 20261125));
const TEST_MS = fuzzRuns > 0 ? 3_600_000 : 120_000;
/** What caches may grow by; a leak of 1 KB per request is more in the long run. */
const MAX_GROWTH_BYTES = 24 * 1024 * 1024;
const SMALL_CACHES = ['--watch-cache-ring-bytes', '1Mi', '--representation-cache-bytes', '1Mi', '--history-max-bytes', '1Mi'];

const ALL_VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const FEW_RIGHTS = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'], resourceNames: ['a', 'b'] }];
const MANY_RIGHTS = [
  { apiGroups: ['batch', 'policy', 'coordination.k8s.io', 'events.k8s.io', 'apps', 'storage.k8s.io'], resources: ['*'], verbs: ALL_VERBS },
  { apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'], resources: ['*'], verbs: ['create'] },
  { apiGroups: [''], resources: ['events', 'serviceaccounts', 'namespaces/status'], verbs: ALL_VERBS },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];
const OWN_CONFIG_MAPS = [{ apiGroups: [''], resources: ['configmaps'], verbs: ALL_VERBS }];

async function prepare({ url, ca, cert, key }: SecureServer): Promise<void> {
  const post = async (path: string, body: object) => {
    const asked = request(url + path, { method: 'POST', ca, cert, key, agent: false, headers: { 'content-type': 'application/json' } });
    asked.end(JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    if (answer.statusCode !== 201) throw new Error(`POST ${path}: ${answer.statusCode ?? 0}`);
  };
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const grant = async (user: string, name: string, rules: readonly object[], scope: string, kind: string) => {
    await post(`${rbac}${scope}/${kind.toLowerCase()}s`, { metadata: { name }, rules });
    const subjects = [{ kind: 'User', name: user }];
    await post(`${rbac}${scope}/${kind.toLowerCase()}bindings`, { metadata: { name }, subjects, roleRef: { kind, name } });
  };
  for (const name of ['open', 'closed']) await post('/api/v1/namespaces', { metadata: { name } });
  await post('/api/v1/namespaces/closed/secrets', { metadata: { name: 'canary' }, stringData: { value: CANARY } });
  await post('/api/v1/namespaces/closed/configmaps', { metadata: { name: 'canary', labels: { value: CANARY } }, data: { value: CANARY } });
  await post('/api/v1/namespaces/open/configmaps', { metadata: { name: 'a' }, data: { a: 'b' } });
  await grant('few rights', 'few', FEW_RIGHTS, '/namespaces/open', 'Role');
  await grant('many rights', 'power', MANY_RIGHTS, '', 'ClusterRole');
  await grant('many rights', 'own', OWN_CONFIG_MAPS, '/namespaces/open', 'Role');
}

describe.each(HTTP2_IMPLEMENTATIONS)('Hostile requests (--http2 %s)', (http2) => {
  let server: SecureServer;
  beforeAll(async () => {
    const flags = ['--http2', http2, '--profiling', '--namespace-lifecycle', 'strict', ...SMALL_CACHES];
    const tokens = CLIENTS.flatMap(({ name, token }) => (token === undefined ? [] : [{ token, user: name }]));
    server = await startSecureServer(flags, { tokens, env: INSPECTABLE });
    await prepare(server);
  }, 60_000);
  afterAll(() => server.stop(), 30_000);

  it(
    'are answered or refused, and leave nothing behind',
    async () => {
      const usedBytes = async () => {
        const { heap, buffers } = await liveMemory(server);
        return heap + buffers;
      };
      const share = Math.ceil(REQUESTS / HTTP2_IMPLEMENTATIONS.length);
      const warmUp = await attack({ server, http2, seed: SEED, requests: Math.min(1000, Math.ceil(share / 2)) });
      const before = await usedBytes();
      const report = await attack({ server, http2, seed: SEED + 1_000_000, requests: share - warmUp.requests });
      expect([...warmUp.findings, ...report.findings]).toEqual([]);
      expect(server.output().match(/^.*(?:request failed unexpectedly|uncaught exception|unhandled rejection)[^]{0,1000}/m)).toBeNull();
      let after = 0;
      const hasSettled = async () => {
        after = await usedBytes();
        return after < before + MAX_GROWTH_BYTES;
      };
      await waitFor(hasSettled, {
        what: () => `the memory to settle: ${before} bytes before, ${after} after`,
        timeoutMs: 90_000,
        everyMs: 1000,
      });
      // Each kind of answer came: the requests reached what they were meant for.
      const codes = [...warmUp.codes.keys(), ...report.codes.keys()];
      expect(codes).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 415]));
      if (fuzzRuns > 0)
        process.stdout.write(
          `${http2}: ${warmUp.requests + report.requests} requests from seed ${SEED}, ${describeCodes(report.codes)}, ${before} bytes before, ${after} after\n`,
        );
    },
    TEST_MS,
  );
});

const describeCodes = (codes: ReadonlyMap<number, number>): string =>
  [...codes]
    .sort(([a], [b]) => a - b)
    .map(([code, count]) => `${code}: ${count}`)
    .join(', ');
