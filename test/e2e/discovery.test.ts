/** What stands around the resources: discovery, version, health, metrics, and the guards of the insecure port. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { KINDS, versionPath } from '../support/kinds.ts';
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

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly verbs: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: { readonly kind: string };
    readonly verbs: readonly string[];
  }[];
}
interface AggregatedList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly {
      readonly version: string;
      readonly freshness: string;
      readonly resources: readonly AggregatedResource[];
    }[];
  }[];
}

function toPlainResources({ resource, responseKind: { kind }, scope, verbs, subresources = [] }: AggregatedResource): Resource[] {
  const namespaced = scope === 'Namespaced';
  const below = subresources.map((each) => ({
    name: `${resource}/${each.subresource}`,
    kind: each.responseKind.kind,
    namespaced,
    verbs: each.verbs,
  }));
  return [{ name: resource, kind, namespaced, verbs }, ...below];
}

/** As `api/discovery` of Kubernetes 1.36 has them. */
const STORAGE_VERSION_HASHES = [
  ['v1', 'configmaps', 'qFsyl6wFWjQ='],
  ['v1', 'secrets', 'S6u1pOWzb84='],
  ['v1', 'serviceaccounts', 'pbx9ZvyFpBE='],
  ['coordination.k8s.io/v1', 'leases', 'gqkMMb/YqFM='],
  ['apps/v1', 'controllerrevisions', '85nkx63pcBU='],
  ['batch/v1', 'cronjobs', 'sd5LIXh4Fjs='],
  ['batch/v1', 'jobs', 'mudhfqk/qZY='],
  ['policy/v1', 'poddisruptionbudgets', 'EVWiDmWqyJw='],
  ['storage.k8s.io/v1', 'volumeattachments', 'tJx/ezt6UDU='],
  ['internal.apiserver.k8s.io/v1alpha1', 'storageversions', 'c8YZt5U0nPk='],
] as const;

/** The kinds of groups that have a name. */
const NAMED = KINDS.filter(({ group }) => group !== '');

describeServer('Discovery', (api) => {
  it('lists the groups of the kinds and of the reviews, each with its version', async () => {
    const body = (await api.get('/apis')).json() as { kind: string; apiVersion: string; groups: readonly Group[] };
    expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    const ofReviews = ['authentication.k8s.io/v1', 'authorization.k8s.io/v1'];
    const ofKinds = NAMED.map((kind) => kind.apiVersion);
    expect(body.groups.map((group) => group.preferredVersion.groupVersion).sort()).toEqual([...new Set([...ofKinds, ...ofReviews])].sort());
  });

  it.each(NAMED)('describes group $group', async (kind) => {
    const body = (await api.get(`/apis/${kind.group}`)).json();
    expect(body).toMatchObject({ kind: 'APIGroup', apiVersion: 'v1', name: kind.group, versions: [{ groupVersion: kind.apiVersion }] });
  });

  it.each(KINDS)('describes $resource with scope, verbs and subresources', async (kind) => {
    const body = (await api.get(versionPath(kind))).json() as { groupVersion: string; resources: readonly Resource[] };
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: kind.apiVersion });
    const resource = body.resources.find(({ name }) => name === kind.resource);
    expect(resource).toMatchObject({ kind: kind.kind, namespaced: kind.namespaced });
    expect(resource?.verbs).toEqual(expect.arrayContaining(['create', 'delete', 'get', 'list', 'update', 'watch']));
    const names = body.resources.map(({ name }) => name);
    if (kind.statusSubresource) expect(names).toContain(`${kind.resource}/status`);
  });

  it.each(STORAGE_VERSION_HASHES)('gives %s the hash that Kubernetes gives it', async (apiVersion, resource, storageVersionHash) => {
    const group = apiVersion === 'v1' ? '' : apiVersion;
    const body = (await api.get(versionPath({ group, apiVersion }))).json() as { resources: readonly Resource[] };
    expect(body.resources.find(({ name }) => name === resource)).toMatchObject({ storageVersionHash });
  });

  it('has a core version with Events, whose hash is that of the Events that are stored', async () => {
    expect((await api.get('/api')).json()).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { resources, ...list } = (await api.get('/api/v1')).json() as { resources: readonly Resource[] };
    expect(list).toEqual({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'v1' });
    const stored = (await api.get('/apis/events.k8s.io/v1')).json() as { resources: readonly Resource[] };
    expect(resources).toEqual(expect.arrayContaining([...stored.resources]));
    const names = resources.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
  });

  it.each([
    'application/json',
    'application/vnd.kubernetes.protobuf;q=0.9,application/json',
    '*/*',
    'application/json;as=Nothing;v=v1;g=x,*/*',
  ])('answers JSON to %s', async (accept) => {
    const answer = await api.get('/apis', { accept });
    expect([answer.code, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.headers.etag).toBeUndefined();
    expect(answer.json()).toMatchObject({ kind: 'APIGroupList' });
  });

  it('answers 406 when nothing that is named can be served', async () => {
    for (const path of ['/api', '/apis', '/apis/batch', '/apis/batch/v1', '/api/v1']) {
      expect((await api.get(path, { accept: 'text/plain' })).code).toBe(406);
      expect((await api.get(path, { accept: 'application/cbor' })).code).toBe(406);
    }
  });

  it('answers 404 for a group or version that is not served', async () => {
    expect((await api.get('/apis/nothing.example.com')).code).toBe(404);
    expect((await api.get('/apis/batch/v2')).code).toBe(404);
  });

  it('names a version that clients can compare', async () => {
    expect((await api.get('/version')).json()).toMatchObject({
      major: '1',
      minor: '36',
      emulationMajor: '1',
      emulationMinor: '36',
      minCompatibilityMajor: '1',
      minCompatibilityMinor: '35',
      gitVersion: expect.stringMatching(/^v1\.36\.\d+/) as unknown,
      platform: expect.stringMatching(/^(linux|darwin)\/(amd64|arm64)$/) as unknown,
    });
  });

  it('indents the version and the paths for everyone', async () => {
    expect((await api.get('/version', { accept: 'application/json' })).text).toMatch(/^\{\n {2}"major": "1",\n/);
    expect((await api.get('/')).text).toMatch(/^\{\n {2}"paths": \[\n {4}"\/\.well-known\/openid-configuration",\n {4}"\/api",\n/);
  });

  describe('aggregated', () => {
    const accept = (version: string) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const v2 = accept('v2');

    it('tells the same as plain discovery, all at once', async () => {
      const { items } = (await api.get('/apis', { accept: v2 })).json() as AggregatedList;
      const plain = (await api.get('/apis')).json() as { groups: readonly Group[] };
      expect(items.map(({ metadata, versions }) => [metadata.name, versions.map(({ version }) => version)])).toEqual(
        plain.groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)]),
      );
      for (const { metadata, versions } of items) {
        for (const { version, resources, freshness } of versions) {
          expect(freshness).toBe('Current');
          const list = (await api.get(`/apis/${metadata.name}/${version}`)).json() as { resources: readonly Resource[] };
          expect(resources.flatMap(toPlainResources)).toEqual(
            list.resources.map(({ name, kind, namespaced, verbs }) => ({ name, kind, namespaced, verbs })),
          );
        }
      }
    });

    it('has the form that Kubernetes gives it', async () => {
      const { items } = (await api.get('/apis', { accept: v2 })).json() as AggregatedList;
      expect(items.find(({ metadata }) => metadata.name === 'policy')).toEqual({
        metadata: { name: 'policy' },
        versions: [
          {
            version: 'v1',
            freshness: 'Current',
            resources: [
              {
                resource: 'poddisruptionbudgets',
                responseKind: { group: '', version: '', kind: 'PodDisruptionBudget' },
                scope: 'Namespaced',
                singularResource: 'poddisruptionbudget',
                shortNames: ['pdb'],
                verbs: expect.arrayContaining(['create', 'delete', 'deletecollection', 'get', 'list', 'update', 'watch']),
                subresources: [
                  {
                    subresource: 'status',
                    responseKind: { group: '', version: '', kind: 'PodDisruptionBudget' },
                    verbs: expect.arrayContaining(['get', 'update']),
                  },
                ],
              },
            ],
          },
        ],
      });
    });

    it('lists the core version as it lists groups', async () => {
      const { items } = (await api.get('/api', { accept: v2 })).json() as AggregatedList;
      expect(items).toMatchObject([{ metadata: {}, versions: [{ version: 'v1' }] }]);
      const resources = items.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
      expect(resources).toContainEqual(expect.objectContaining({ resource: 'events', scope: 'Namespaced', shortNames: ['ev'] }));
      const account = resources.find(({ resource }) => resource === 'serviceaccounts');
      expect(account?.subresources).toEqual([
        { subresource: 'token', responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }, verbs: ['create'] },
      ]);
      const plain = (await api.get('/api/v1')).json() as { resources: readonly Resource[] };
      expect(resources.flatMap(toPlainResources)).toEqual(
        plain.resources.map(({ name, kind, namespaced, verbs }) => ({ name, kind, namespaced, verbs })),
      );
    });

    it.each([
      [v2, 'v2'],
      [accept('v2beta1'), 'v2beta1'],
      [`${v2},${accept('v2beta1')},application/json`, 'v2'],
      [`${accept('v2beta1')},application/json`, 'v2beta1'],
      [`application/json;q=0.5,${v2}`, 'v2'],
      // As Kubernetes: whoever names it can read it, and it says more.
      [`application/json,${v2}`, 'v2'],
      [`${v2};profile=nopeer,${v2},application/json`, 'v2'],
      [`application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,${v2}`, 'v2'],
      [`${accept('v9')},${v2}`, 'v2'],
    ])('answers %s with %s', async (header, version) => {
      for (const path of ['/api', '/apis']) {
        const answer = await api.get(path, { accept: header });
        expect([answer.code, answer.headers['content-type'], answer.headers.vary]).toEqual([200, accept(version), 'Accept']);
        expect(answer.json()).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}` });
      }
    });

    it.each([`${accept('v9')},application/json`, 'application/json;g=other;v=v2;as=APIGroupDiscoveryList,*/*'])(
      'answers %s plainly',
      async (header) => {
        expect((await api.get('/apis', { accept: header })).json()).toMatchObject({ kind: 'APIGroupList' });
      },
    );

    it('is served as YAML to those who ask for it', async () => {
      const answer = await api.get('/apis', { accept: v2.replace('json', 'yaml') });
      expect(answer.headers['content-type']).toBe(v2.replace('json', 'yaml'));
      expect(answer.text).toMatch(/^kind: "?APIGroupDiscoveryList"?$/m);
    });

    it('is indented for people', async () => {
      expect((await api.get('/apis?pretty=1', { accept: v2 })).text).toMatch(/^\{\n {2}"kind": "APIGroupDiscoveryList",\n/);
    });

    it('is served at the two roots only', async () => {
      expect((await api.get('/apis/batch/v1', { accept: v2 })).code).toBe(406);
    });

    it('is not sent again to a client that has it', async () => {
      const first = await api.get('/apis', { accept: v2 });
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
      expect(first.headers['cache-control']).toBe('public');
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await api.get('/apis', { accept: v2, 'if-none-match': known });
        expect([again.code, again.text, again.headers.etag, again.headers.vary]).toEqual([304, '', etag, 'Accept']);
        expect(again.headers['content-type']).toBeUndefined();
      }
      const changed = await api.get('/apis', { accept: v2, 'if-none-match': '"other"' });
      expect([changed.code, changed.text]).toEqual([200, first.text]);
      expect((await api.get('/api', { accept: v2 })).headers.etag).not.toBe(etag);
    });
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

const PAGE = 'https://console.example.com';

describeServer(
  'Insecure port',
  (api) => {
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

    it('serves the origin that is allowed', async () => {
      expect(await codeWith({ origin: PAGE })).toBe(200);
    });

    const WATCH = '/apis/batch/v1/cronjobs?watch=true';
    it.each([
      ['refuses an Upgrade of what is no watch', 400, '/version', 'websocket', 13, PAGE],
      ['refuses an Upgrade of a list', 400, '/apis/batch/v1/cronjobs', 'websocket', 13, PAGE],
      ['refuses an Upgrade to another version', 400, WATCH, 'websocket', 8, PAGE],
      ['refuses an Upgrade to another protocol', 400, WATCH, 'SPDY/3.1', 13, PAGE],
      ['refuses an Upgrade for another origin', 400, WATCH, 'websocket', 13, 'https://attacker.example'],
      ['upgrades a watch for the origin that is allowed', 101, WATCH, 'websocket', 13, PAGE],
    ])('%s', async (_, code, path, protocol, version, origin) => {
      const { hostname, port } = new URL(api.baseUrl);
      const socket = connect(Number(port), hostname);
      const handshake = `Sec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: ${origin}`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${handshake}\r\n\r\n`);
      const [chunk] = (await deadline(once(socket, 'data'), 5000, 'an answer')) as [Buffer];
      socket.destroy();
      expect(chunk.toString('latin1').slice(0, 'HTTP/1.1 200 '.length)).toBe(`HTTP/1.1 ${code} `);
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
  },
  { flags: ['--cors-allowed-origins', '^https://console\\.example\\.com$'] },
);
