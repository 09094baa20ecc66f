/** The built program: what it needs beside itself, and what it loads. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Etcd3 } from 'etcd3';
import { startEtcd } from '../support/etcd.ts';
import { install, type Installation } from '../support/installation.ts';
import { collectionPath, CRON_JOB } from '../support/kinds.ts';
import { runCoxswain, startServer, temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { BACKENDS, openTestStore } from '../support/test-store.ts';

/** Only a login needs it. */
const ETCD_LIBRARY = /\/node_modules\/(etcd3|@grpc|protobufjs)\//;
const LMDB = /\/node_modules\/lmdb\//;
const SERVER = /\/dist\/serve-/;

let folder: TemporaryDirectory;
const installed = async (): Promise<Installation> => install(join(folder.path, `installation-${(await readdir(folder.path)).length}`));

beforeAll(async () => {
  folder = await temporaryDirectory();
});
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
      const files = await loaded();
      expect(files).toContainEqual(expect.stringMatching(SERVER));
      expect(files.filter((file) => ETCD_LIBRARY.test(file))).toEqual([]);
      expect(files.some((file) => LMDB.test(file))).toBe(backend === 'embedded');
    } finally {
      await store.close();
    }
  }, 60_000);
});

describe('The built program', () => {
  it('loads nothing of the server for commands that need none', async () => {
    const { launcher, recording, loaded } = await installed();
    const file = join(folder.path, 'migration.yaml');
    await writeFile(file, MIGRATION);
    for (const args of [
      ['version'],
      ['completion', 'bash'],
      ['complete', '--', 'config', ''],
      ['help', 'serve'],
      ['config', 'check', file],
    ])
      expect(await runCoxswain(args, { launcher, env: recording })).toMatchObject({ code: 0, stderr: '' });
    expect((await loaded()).filter((each) => SERVER.test(each) || each.includes('/node_modules/'))).toEqual([]);
  }, 30_000);

  it('keeps compiled code beside the program for the next start, or where the environment says', async () => {
    const { launcher } = await installed();
    const named = join(folder.path, 'compiled');
    await runCoxswain(['version'], { launcher, env: { NODE_COMPILE_CACHE: named } });
    await expect(readdir(join(launcher, '../../dist/compile-cache'))).rejects.toThrow('ENOENT');
    expect(await readdir(named)).toHaveLength(1);
    await runCoxswain(['version'], { launcher });
    expect(await readdir(join(launcher, '../../dist/compile-cache'))).toHaveLength(1);
  }, 30_000);

  it('logs in at etcd with the library of etcd', async () => {
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
      for (const option of options) expect(option).toMatch(/^--(max-semi-space-size=|heap-growing-percent=|disable-warning=)/);
    } finally {
      await programs.remove();
    }
  });
});

const MIGRATION = `apiVersion: controllermanager.config.k8s.io/v1alpha1
kind: LeaderMigrationConfiguration
leaderName: migration
resourceLock: leases
controllerLeaders:
  - name: node-route-controller
    component: "*"
`;
