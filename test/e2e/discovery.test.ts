/** What stands around the resources: discovery, version, health, metrics, and the guards of the insecure port. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { KINDS } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';
import { deadline } from '../support/wait.ts';

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
  readonly preferredVersion: { readonly groupVersion: string };
}
interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

describeServer('Discovery', (api) => {
  it('lists the six groups, each with its version', async () => {
    const body = (await api.get('/apis')).json() as { kind: string; apiVersion: string; groups: readonly Group[] };
    expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    expect(body.groups.map((group) => group.preferredVersion.groupVersion).sort()).toEqual(KINDS.map((kind) => kind.apiVersion).sort());
  });

  it.each(KINDS)('describes group $group', async (kind) => {
    const body = (await api.get(`/apis/${kind.group}`)).json();
    expect(body).toMatchObject({ kind: 'APIGroup', apiVersion: 'v1', name: kind.group, versions: [{ groupVersion: kind.apiVersion }] });
  });

  it.each(KINDS)('describes $resource with scope, verbs and subresources', async (kind) => {
    const body = (await api.get(`/apis/${kind.apiVersion}`)).json() as { groupVersion: string; resources: readonly Resource[] };
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: kind.apiVersion });
    const resource = body.resources.find(({ name }) => name === kind.resource);
    expect(resource).toMatchObject({ kind: kind.kind, namespaced: kind.namespaced });
    expect(resource?.verbs).toEqual(expect.arrayContaining(['create', 'delete', 'get', 'list', 'update', 'watch']));
    const names = body.resources.map(({ name }) => name);
    if (kind.statusSubresource) expect(names).toContain(`${kind.resource}/status`);
  });

  it('answers /api with no core versions of its own', async () => {
    expect((await api.get('/api')).json()).toMatchObject({ kind: 'APIVersions' });
  });

  it('answers 404 for a group or version that is not served', async () => {
    expect((await api.get('/apis/nothing.example.com')).code).toBe(404);
    expect((await api.get('/apis/batch/v2')).code).toBe(404);
  });

  it('names a version that clients can compare', async () => {
    const version = (await api.get('/version')).json() as { major: string; minor: string; gitVersion: string };
    expect(version.major).toBe('1');
    expect(version.minor).toMatch(/^\d+$/);
    expect(version.gitVersion).toMatch(/^v1\.\d+\.\d+/);
  });

  describe('health', () => {
    it.each(['/livez', '/readyz', '/healthz'])('%s says ok', async (path) => {
      const answer = await api.get(path);
      expect(answer.code).toBe(200);
      expect(answer.text).toBe('ok');
    });

    it('names its checks with ?verbose', async () => {
      const answer = await api.get('/readyz?verbose');
      expect(answer.code).toBe(200);
      expect(answer.text).toMatch(/^\[\+\]/m);
      expect(answer.text).toMatch(/check passed\n?$/);
    });
  });

  it('shows metrics under the names that dashboards know', async () => {
    await api.get('/apis/batch/v1/cronjobs');
    const answer = await api.get('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    for (const name of [
      'apiserver_request_total',
      'apiserver_request_duration_seconds_bucket',
      'apiserver_current_inflight_requests',
      'process_resident_memory_bytes',
      'nodejs_external_memory_bytes',
    ]) {
      expect(answer.text).toContain(name);
    }
    expect(answer.text).toMatch(/apiserver_request_total\{[^}]*resource="cronjobs"[^}]*\} [1-9]/);
    expect(answer.text).toMatch(/apiserver_request_total\{[^}]*verb="LIST"/);
  });
});

describeServer('Insecure port', (api) => {
  /** Node's fetch does not let a caller choose Host, so this is a plain request. */
  const codeWith = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const sent = request(`${api.baseUrl}/version`, { headers, agent: false }).end();
    const [answer] = (await deadline(once(sent, 'response'), 5000, 'an answer')) as [{ statusCode?: number; resume: () => void }];
    answer.resume();
    return answer.statusCode ?? 0;
  };

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:8080', '127.0.0.1:1'])('serves the loopback host %s', async (host) => {
    expect(await codeWith({ host })).toBe(200);
  });

  it.each(['attacker.example', 'localhost.attacker.example', '127.0.0.1.nip.example', '10.0.0.1', '0.0.0.0'])(
    'refuses the host %s',
    async (host) => {
      expect(await codeWith({ host })).toBe(403);
    },
  );

  it.each(['http://attacker.example', 'https://localhost.attacker.example', 'null'])('refuses the origin %s', async (origin) => {
    expect(await codeWith({ origin })).toBe(403);
  });

  it('refuses an Upgrade', async () => {
    const { hostname, port } = new URL(api.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /version HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    const [chunk] = (await deadline(once(socket, 'data'), 5000, 'an answer')) as [Buffer];
    socket.destroy();
    expect(chunk.toString('latin1')).toMatch(/^HTTP\/1\.1 (400|403|426|501) /);
  });

  it('survives what is no HTTP', async () => {
    const { hostname, port } = new URL(api.baseUrl);
    for (const text of [
      '\x16\x03\x01\x02\x00\x01\x00',
      'GET / HTTP/9.9\r\n\r\n',
      'POST /apis HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.end(text);
      socket.resume();
      await deadline(once(socket, 'close'), 5000, 'the connection to be closed');
    }
    expect((await api.get('/livez')).code).toBe(200);
  });
});
