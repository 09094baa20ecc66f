/** What the built server counts of authentication, authorization and impersonation, under the names of Kubernetes. */
import { request as httpsRequest } from 'node:https';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSecureServer, temporaryDirectory, type SecureServer } from '../support/server.ts';
import { waitFor } from '../support/wait.ts';

const CONFIGURATION = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true}\n';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: SecureServer;
const configurationFile = () => path.join(directory.path, 'authentication.yaml');
beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeFile(configurationFile(), CONFIGURATION);
  server = await startSecureServer(['--authentication-config', configurationFile()], {
    tokens: [
      { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
      { token: 'jane-token', user: 'jane@example.com' },
      { token: 'bob-token', user: 'bob' },
    ],
  });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await directory.remove();
}, 30_000);

async function ask(target: string, headers: Readonly<Record<string, string>>, withCertificate = false) {
  const { ca, cert, key } = server;
  const sent = httpsRequest(server.url + target, { ca, agent: false, headers, ...(withCertificate ? { cert, key } : {}) });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { code: response.statusCode, text: await readText(response) };
}

const as = (user: string) => ({ authorization: `Bearer ${user}-token` });

/** Series and values, without those of histograms' buckets and sums. */
async function seriesOf(pattern: RegExp): Promise<ReadonlyMap<string, number>> {
  const { text } = await ask('/metrics', as('admin'));
  const lines = text.split('\n').filter((line) => pattern.test(line) && !/^#|_(bucket|sum)\b/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

it('Each request is counted by who sent it, and by what authentication and authorization made of it.', async () => {
  const pattern = /^(authenticat|authoriz|apiserver_(impersonation|client_certificate))/;
  const before = await seriesOf(pattern);
  expect((await ask('/api', as('jane'))).code).toBe(200);
  expect((await ask('/api/v1/configmaps', as('bob'))).code).toBe(403);
  expect((await ask('/api', { authorization: 'Bearer wrong' })).code).toBe(401);
  expect((await ask('/healthz', {})).code).toBe(200);
  expect((await ask('/api', {}, true)).code).toBe(200);
  expect((await ask('/api', { ...as('admin'), 'impersonate-user': 'bob' })).code).toBe(200);
  expect((await ask('/api', { ...as('bob'), 'impersonate-user': 'admin' })).code).toBe(403);
  const expected = {
    'authenticated_user_requests{username="email_id"}': 1,
    'authentication_attempts{result="error"}': 1,
    'authentication_duration_seconds_count{result="error"}': 1,
    'authorization_attempts_total{result="no-opinion"}': 1,
    'authorization_duration_seconds_count{result="no-opinion"}': 1,
    apiserver_client_certificate_expiration_seconds_count: 1,
    'apiserver_impersonation_attempts_total{mode="user-info",decision="allowed"}': 1,
    'apiserver_impersonation_attempts_duration_seconds_count{mode="user-info",decision="allowed"}': 1,
    'apiserver_impersonation_attempts_total{mode="",decision="denied"}': 1,
    'apiserver_impersonation_authorization_attempts_total{mode="user-info",decision="allowed"}': 2,
    'apiserver_impersonation_authorization_attempts_total{mode="user-info",decision="denied"}': 1,
    'apiserver_impersonation_authorization_attempts_total{mode="legacy",decision="denied"}': 1,
  };
  let gained: Record<string, number> = {};
  await waitFor(
    async () => {
      const after = await seriesOf(pattern);
      gained = Object.fromEntries(Object.keys(expected).map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
      return gained['authentication_attempts{result="error"}'] === 1;
    },
    { what: 'newer metrics' },
  );
  expect(gained).toEqual(expected);
}, 30_000);

it('Changes of the authentication configuration are counted, with the hash of the one in use.', async () => {
  const reloads = () => seriesOf(/^apiserver_authentication_config_controller/);
  const hashOf = (series: ReadonlyMap<string, number>) => [...series.keys()].find((name) => name.includes('last_config_info'));
  const before = hashOf(await reloads());
  expect(before).toMatch(/{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"}$/);
  const changed = async (text: string, status: string) => {
    await writeFile(configurationFile(), text);
    let series = await reloads();
    await waitFor(
      async () => {
        series = await reloads();
        return [...series].some(([name, value]) => name.includes(`automatic_reloads_total{status="${status}"`) && value === 1);
      },
      { what: `a reload: ${status}` },
    );
    return hashOf(series);
  };
  expect(await changed('kind: Pod', 'failure')).toBe(before);
  expect(await changed(`${CONFIGURATION}# changed\n`, 'success')).not.toBe(before);
}, 30_000);
