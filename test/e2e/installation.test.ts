/** The built program: what it needs beside itself, and what it loads. */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Etcd3 } from 'etcd3';
import { startEtcd } from '../support/etcd.ts';
import { install, type Installation } from '../support/installation.ts';
import { collectionPath, CRON_JOB } from '../support/kinds.ts';
import { runCoxswain, startServer, temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { BACKENDS, openTestStore } from '../support/test-store.ts';

/** For logins, of which there are none otherwise. */
const ETCD_LIBRARY = /node_modules\/(etcd3|@grpc|protobufjs)\//;
const OWN = { etcd: /^pkg\/storage\/etcd\//, embedded: /node_modules\/lmdb\// } as const;
const SERVER = /^pkg\/(server\/transports|storage|watchcache|registry|authentication)\/|^node_modules\/(express|winston|prom-client)\//;
const TAGGED = `apiVersion: controllermanager.config.k8s.io/v1alpha1
kind: LeaderMigrationConfiguration
leaderName: !!str migration
resourceLock: leases
controllerLeaders:
  - name: node-route-controller
    component: "*"
`;

let folder: TemporaryDirectory;
let installation: Installation;
const installed = async (): Promise<Installation> => {
  const each = join(folder.path, `installation-${(await readdir(folder.path)).length}`);
  return install(each);
};

beforeAll(async () => {
  folder = await temporaryDirectory();
  installation = await installed();
}, 60_000);
afterAll(() => folder.remove());

describe.each(BACKENDS)('The built program › on %s', (backend) => {
  it('serves without the packages that were built into it, and loads nothing of the other store', async () => {
    const { launcher, recording, loaded } = await installed();
    const store = await openTestStore(backend);
    try {
      const server = await startServer(store.flags, { launcher, env: recording });
      try {
        const collection = collectionPath(CRON_JOB, 'installed');
        const yaml = await server.send('POST', collection, {
          // JSON is YAML; with a comment it is YAML alone.
          body: `# nightly\n${JSON.stringify(CRON_JOB.sample('nightly', 'installed'))}`,
          headers: { 'content-type': 'application/yaml' },
        });
        expect(yaml.code).toBe(201);
        const answers = ['/docs', '/docs/swagger-ui-bundle.js', '/openapi/v3', '/openapi/v2', '/metrics', collection];
        const codes = await Promise.all(answers.map(async (path) => [path, (await server.get(path)).code]));
        expect(codes).toEqual(answers.map((path) => [path, 200]));
      } finally {
        await server.stop();
      }
      const sources = await loaded();
      expect(sources).toContainEqual(expect.stringMatching(SERVER));
      expect(sources).toContainEqual(expect.stringMatching(OWN[backend]));
      const other = backend === 'etcd' ? OWN.embedded : OWN.etcd;
      expect(sources.filter((source) => other.test(source) || ETCD_LIBRARY.test(source))).toEqual([]);
    } finally {
      await store.close();
    }
  }, 60_000);
});

describe('The built program', () => {
  it('loads nothing of the server for commands that need none', async () => {
    const { launcher, recording, loaded } = installation;
    const file = join(folder.path, 'tagged.yaml');
    // A tag, which only the whole library for YAML reads.
    await writeFile(file, TAGGED);
    for (const args of [
      ['version'],
      ['completion', 'bash'],
      ['complete', '--', 'config', ''],
      ['help', 'serve'],
      ['config', 'check', file],
    ])
      expect(await runCoxswain(args, { launcher, env: recording })).toMatchObject({ code: 0, stderr: '' });
    const sources = await loaded();
    expect(sources).toContainEqual(expect.stringMatching(/^pkg\/config\//));
    expect(sources).toContainEqual(expect.stringMatching(/^node_modules\/yaml\//));
    expect(sources.filter((source) => SERVER.test(source))).toEqual([]);
  }, 30_000);

  it('has nothing in the server that only few starts need', async () => {
    const sources = await installation.madeOf('serve-');
    expect(sources).toContainEqual(expect.stringMatching(SERVER));
    expect(sources.filter((source) => ETCD_LIBRARY.test(source) || source.startsWith('node_modules/yaml/'))).toEqual([]);
  });

  it('loads the library of etcd for a login, and logs in with it', async () => {
    const etcd = await startEtcd();
    const admin = new Etcd3({ hosts: etcd.endpoint });
    try {
      const root = await admin.role('root').create();
      await (await admin.user('root').create('secret')).addRole(root);
      await admin.auth.authEnable();
      const passwordFile = join(folder.path, 'password');
      await writeFile(passwordFile, 'secret\n');
      const { launcher, recording, loaded } = await installed();
      const login = ['--etcd-username', 'root', '--etcd-password-file', passwordFile];
      const server = await startServer(['--etcd-servers', etcd.endpoint, ...login], { launcher, env: recording });
      try {
        const made = await server.send('POST', collectionPath(CRON_JOB, 'installed'), {
          body: JSON.stringify(CRON_JOB.sample('nightly', 'installed')),
        });
        expect(made.code).toBe(201);
      } finally {
        await server.stop();
      }
      expect(await loaded()).toContainEqual(expect.stringMatching(ETCD_LIBRARY));
    } finally {
      admin.close();
      await etcd.close();
    }
  }, 60_000);

  it('starts whatever newer Node.js is on the PATH where none came along, with nothing that only one of them knows', async () => {
    const { launcher } = await installed();
    await rm(join(launcher, '../../node_modules'), { recursive: true });
    const programs = await temporaryDirectory();
    try {
      const node = join(programs.path, 'node');
      await writeFile(node, '#!/bin/sh\n[ "$1" = -p ] && echo 99 || echo "$@"\n', { mode: 0o755 });
      const { code, stdout } = await runCoxswain(['version'], { launcher, env: { PATH: `${programs.path}:${process.env['PATH']}` } });
      expect(code).toBe(0);
      const [command, program, ...options] = stdout.trim().split(' ').reverse();
      expect([command, program]).toEqual(['version', resolve(launcher, '../../dist/coxswain.js')]);
      expect(options).not.toEqual([]);
      for (const option of options) expect(option).toMatch(/^--((min|max)-semi-space-size=|disable-warning=)/);
    } finally {
      await programs.remove();
    }
  });

  it('takes what was compiled when it was built, also when another user starts it', async () => {
    const { launcher, recording, taken } = await installed();
    const compiled = join(launcher, '../../dist/compiled');
    const kept = (await readdir(compiled)).filter((name) => name.endsWith('.bin'));
    expect(kept.map((name) => name.split('-')[0]).sort()).toEqual(['config', 'serve']);
    for (const path of [compiled, ...kept.map((name) => join(compiled, name))]) expect((await stat(path)).mode & 0o444).toBe(0o444);
    const { NODE_OPTIONS } = recording;
    expect((await runCoxswain(['config', 'explain', 'CronJobControllerConfiguration'], { launcher, env: { NODE_OPTIONS } })).code).toBe(0);
    const store = await openTestStore('embedded');
    try {
      const server = await startServer(store.flags, { launcher, env: { NODE_OPTIONS } });
      await server.stop();
    } finally {
      await store.close();
    }
    expect(await taken()).toEqual(['config taken', 'serve taken']);
  }, 30_000);

  it.each([
    ['torn', (whole: Buffer) => whole.subarray(0, 5000)],
    ['empty', () => Buffer.alloc(0)],
    [
      'zero from the middle on',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, whole.byteLength / 2), Buffer.alloc(whole.byteLength / 2)]),
    ],
    ['of another program', (whole: Buffer) => Buffer.concat([whole.subarray(0, 4), Buffer.from([1, 2, 3, 4]), whole.subarray(8)])],
  ])('compiles anew when what was kept is %s, and leaves it', async (_what, damage) => {
    const { launcher } = await installed();
    const compiled = join(launcher, '../../dist/compiled');
    for (const name of await readdir(compiled)) {
      if (!name.endsWith('.bin')) continue;
      await writeFile(join(compiled, name), damage(await readFile(join(compiled, name))));
    }
    const before = await readdir(compiled);
    expect((await runCoxswain(['config', 'explain', 'CronJobControllerConfiguration'], { launcher })).code).toBe(0);
    expect((await runCoxswain(['serve', '--secure-port', '0'], { launcher })).code).toBe(2);
    expect(await readdir(compiled)).toEqual(before);
  });

  it('keeps no compiled code where others could write', async () => {
    const temporary = await temporaryDirectory();
    try {
      expect((await runCoxswain(['version'], { launcher: installation.launcher, env: { TMPDIR: temporary.path } })).code).toBe(0);
      expect(await readdir(temporary.path)).toEqual([]);
      expect(await readdir(join(installation.launcher, '../../dist/compiled'))).not.toEqual([]);
    } finally {
      await temporary.remove();
    }
  });
});
