/**
 * What a user meets first: certificates that are made and kept, a kubeconfig that works, and messages where files do
 * not do.
 */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { freePorts } from '../support/free-port.ts';
import { findOrInstall } from '../support/programs.ts';
import { runCoxswain, startSecureServer, startServer, temporaryDirectory } from '../support/server.ts';
import type { RunningProcess, SecureServer, TemporaryDirectory } from '../support/server.ts';

const RUN_MS = 20_000;
const run = promisify(execFile);

async function program(name: string, debianPackage: string): Promise<string> {
  const { path, why } = await findOrInstall(name, debianPackage);
  if (path === undefined) throw new Error(why);
  return path;
}

let kubectlProgram = '';
let curlProgram = '';
let directory: TemporaryDirectory;
beforeAll(async () => {
  kubectlProgram = process.env['KUBECTL'] ?? (await program('kubectl', 'kubernetes-client'));
  curlProgram = await program('curl', 'curl');
  directory = await temporaryDirectory();
}, 300_000);
afterAll(() => directory.remove());

/** With a home of its own; rejects with what it complained about. */
const kubectl = async (kubeconfig: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, HOME: directory.path, KUBECONFIG: kubeconfig };
  return (await run(kubectlProgram, args, { env, timeout: RUN_MS })).stdout;
};
const curl = async (...args: string[]): Promise<string> =>
  (await run(curlProgram, ['--silent', '--show-error', ...args], { timeout: RUN_MS })).stdout;
const statusOf = (url: string, ...args: string[]) => curl('--output', '/dev/null', '--write-out', '%{http_code}', ...args, url);

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  readonly contexts: readonly { readonly context: Readonly<Record<string, string>> }[];
}

async function readKubeconfig(path: string) {
  const { clusters, users, contexts } = parse(await readFile(path, 'utf8')) as Kubeconfig;
  const certificate = new X509Certificate(Buffer.from(users[0]?.user['client-certificate-data'] ?? '', 'base64'));
  return { cluster: clusters[0]?.cluster ?? {}, context: contexts[0]?.context ?? {}, certificate };
}

describe('A first start', () => {
  let server: SecureServer;
  beforeAll(async () => {
    server = await startSecureServer([], { tokens: [{ token: 'let-me-in', user: 'jane', groups: ['dev', 'system:masters'] }] });
  }, 60_000);
  afterAll(() => server.stop());

  it('ends with a line to paste', () => {
    expect(server.output()).toContain(`coxswain is ready at ${server.url} (embedded store in ${server.dataDir})`);
    expect(server.output()).toContain(`export KUBECONFIG=${server.kubeconfig}; kubectl get cronjobs -A`);
    expect(server.output()).not.toContain('http://');
  });

  it('gives kubectl all it needs', async () => {
    expect(JSON.parse(await kubectl(server.kubeconfig, 'get', '--raw', '/version'))).toMatchObject({ major: '1' });
    expect(await kubectl(server.kubeconfig, 'get', 'cronjobs', '-A', '-o', 'name')).toBe('');
  });

  it('gives curl all it needs, under every name of loopback', async () => {
    const pki = join(server.dataDir, 'pki');
    const own = ['--cacert', join(pki, 'ca.crt'), '--cert', join(pki, 'admin.crt'), '--key', join(pki, 'admin.key')];
    expect(await statusOf(`${server.url}/apis`, ...own)).toBe('200');
    expect(await statusOf(`https://localhost:${server.port}/apis`, ...own)).toBe('200');
    await expect(curl(`${server.url}/apis`)).rejects.toThrow(/certificate/); // a CA that curl does not know
  });

  it('lets tokens in, shows the rest of the world health and version, and refuses what is wrong', async () => {
    const known = ['--cacert', join(server.dataDir, 'pki', 'ca.crt')];
    const bearer = (token: string) => ['--header', `Authorization: Bearer ${token}`];
    expect(await statusOf(`${server.url}/apis/batch/v1/cronjobs`, ...known, ...bearer('let-me-in'))).toBe('200');
    expect(await statusOf(`${server.url}/apis/batch/v1/cronjobs`, ...known, ...bearer('wrong'))).toBe('401');
    expect(await statusOf(`${server.url}/apis/batch/v1/cronjobs`, ...known)).toBe('403');
    expect(await statusOf(`${server.url}/readyz`, ...known)).toBe('200');
    expect(await statusOf(`${server.url}/version`, ...known)).toBe('200');
  });

  it('lets nobody else on the machine read keys, kubeconfig and objects', async () => {
    const secrets = ['admin.kubeconfig', 'pki/ca.key', 'pki/server.key', 'pki/admin.key', 'store.mdb', 'lock.db'];
    const modes = secrets.map(async (name) => [name, (await stat(join(server.dataDir, name))).mode & 0o077]);
    expect(await Promise.all(modes)).toEqual(secrets.map((name) => [name, 0]));
  });

  it('is followed by kubeconfigs for other users, with the server running', async () => {
    const path = join(directory.path, 'jane.kubeconfig');
    const flags = ['--user', 'jane', '--group', 'dev', '--group', 'system:masters', '--namespace', 'work', '--output', path];
    const written = await runCoxswain(['kubeconfig', '--data-dir', server.dataDir, ...flags]);
    expect(written).toEqual({ code: 0, stdout: `${path} is for jane at ${server.url}\n`, stderr: '' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { certificate, context } = await readKubeconfig(path);
    expect(certificate.subject.split('\n')).toEqual(['O=dev', 'O=system:masters', 'CN=jane']);
    expect(context['namespace']).toBe('work');
    expect(await kubectl(path, 'get', 'cronjobs', '-o', 'name')).toBe('');
  });

  it('is followed by one for the admin on standard output', async () => {
    const { stdout } = await runCoxswain(['kubeconfig'], { env: { COXSWAIN_DATA_DIR: server.dataDir } });
    const path = join(directory.path, 'printed.kubeconfig');
    await writeFile(path, stdout, { mode: 0o600 });
    expect((await readKubeconfig(path)).certificate.subject.split('\n')).toEqual(['O=system:masters', 'CN=coxswain-admin']);
    expect(await kubectl(path, 'get', '--raw', '/readyz')).toBe('ok');
  });
});

/** What a test that fails leaves running. */
const started: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill()));
});

async function running<Server extends RunningProcess>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  started.push(server);
  return server;
}

describe('A later start', () => {
  let dataDir = '';
  let first: SecureServer;
  beforeAll(async () => {
    dataDir = join(directory.path, 'kept');
    const [port = 0] = await freePorts(1);
    first = await running(startSecureServer([], { dataDir, port }));
    await first.stop();
  }, 60_000);

  it('keeps CA, certificates and kubeconfig byte for byte', async () => {
    const kubeconfig = await readFile(first.kubeconfig, 'utf8');
    const second = await running(startSecureServer([], { dataDir, port: first.port }));
    await second.stop();
    expect({ ca: second.ca, cert: second.cert, key: second.key }).toEqual({ ca: first.ca, cert: first.cert, key: first.key });
    expect(await readFile(second.kubeconfig, 'utf8')).toBe(kubeconfig);
  });

  it('writes another address into the kubeconfig, and old ones still get in', async () => {
    const old = await readFile(first.kubeconfig, 'utf8');
    const second = await running(startSecureServer([], { dataDir }));
    expect((await readKubeconfig(second.kubeconfig)).cluster['server']).toBe(second.url);
    const path = join(directory.path, 'old.kubeconfig');
    await writeFile(path, old.replace(first.url, second.url), { mode: 0o600 });
    expect(await kubectl(path, 'get', '--raw', '/readyz')).toBe('ok');
    await second.stop();
  });

  it('may listen on every address, and a kubeconfig leads there by an address that the certificate does not name', async () => {
    const server = await running(startSecureServer(['--bind-address', '0.0.0.0'], { dataDir }));
    const path = join(directory.path, 'elsewhere.kubeconfig');
    const elsewhere = `https://127.0.0.2:${server.port}`;
    expect((await runCoxswain(['kubeconfig', '--data-dir', dataDir, '--server', elsewhere, '--output', path])).code).toBe(0);
    expect((await readKubeconfig(path)).cluster).toMatchObject({ server: elsewhere, 'tls-server-name': 'localhost' });
    expect(await kubectl(path, 'get', '--raw', '/readyz')).toBe('ok');
    await server.stop();
  });

  it('serves both ports when both are asked for, and stops both', async () => {
    const [securePort = 0] = await freePorts(1);
    const server = await running(startServer(['--data-dir', dataDir, '--secure-port', String(securePort)]));
    expect((await server.get('/apis/batch/v1/cronjobs')).code).toBe(200);
    expect(await kubectl(join(dataDir, 'admin.kubeconfig'), 'get', 'cronjobs', '-A', '-o', 'name')).toBe('');
    expect(server.output()).toContain(`${server.baseUrl}: plain HTTP for this machine only`);
    await server.stop();
    await expect(curl(server.baseUrl)).rejects.toThrow();
    await expect(curl('--insecure', `https://127.0.0.1:${securePort}`)).rejects.toThrow();
  });

  it('is refused while another process has the folder, whose kubeconfig and certificate stay', async () => {
    const server = await running(startSecureServer([], { dataDir }));
    const files = [server.kubeconfig, join(dataDir, 'pki', 'server.crt')];
    const kept = () => Promise.all(files.map((path) => readFile(path, 'utf8')));
    const before = await kept();
    const [port = 0] = await freePorts(1);
    // An address that the certificate does not name: a server that had the folder would make another certificate.
    const refused = await runCoxswain(['serve', '--bind-address', '127.0.0.9', '--secure-port', String(port), '--data-dir', dataDir]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(dataDir);
    expect(await kept()).toEqual(before);
    await server.stop();
  });
});

describe('Files of an operator', () => {
  it('are served, and clients are known by their CA alone', async () => {
    const other = await running(startSecureServer());
    const pki = join(other.dataDir, 'pki');
    const files = ['--tls-cert-file', join(pki, 'server.crt'), '--tls-private-key-file', join(pki, 'server.key')];
    const given = [...files, '--client-ca-file', join(pki, 'ca.crt')];
    const [port = 0] = await freePorts(1);
    const dataDir = join(directory.path, 'given');
    const server = await running(startServer(['--data-dir', dataDir, '--secure-port', String(port), ...given]));
    const foreign = ['--cacert', join(pki, 'ca.crt'), '--cert', join(pki, 'admin.crt'), '--key', join(pki, 'admin.key')];
    expect(await statusOf(`https://127.0.0.1:${port}/apis/batch/v1/cronjobs`, ...foreign)).toBe('200');
    expect(server.output()).toContain('no admin.kubeconfig');
    await server.stop();
    expect(await runCoxswain(['kubeconfig', '--data-dir', dataDir])).toEqual({
      code: 1,
      stdout: '',
      stderr: `coxswain: There is no CA in ${join(dataDir, 'pki')}. Start the server once to create it.\n`,
    });
    await other.stop();
  });

  it.each([
    ['--tls-cert-file alone', ['--tls-cert-file', 'BROKEN'], '--tls-private-key-file', 2],
    [
      'a certificate that is none',
      ['--tls-cert-file', 'BROKEN', '--tls-private-key-file', 'BROKEN'],
      '--tls-cert-file: BROKEN has no certificate',
      1,
    ],
    ['a bundle that is none', ['--client-ca-file', 'BROKEN'], '--client-ca-file: BROKEN has no certificate', 1],
    ['a bundle that is missing', ['--client-ca-file', '/none'], '--client-ca-file: /none cannot be read', 1],
    ['a token file that is broken', ['--token-auth-file', 'BROKEN'], '--token-auth-file: the token file BROKEN is wrong in line 1', 2],
    ['a port of others', ['--secure-port', '1', '--bind-address', '192.0.2.1'], 'cannot listen on --secure-port 1 on 192.0.2.1', 1],
  ])('that do not do are refused in one sentence: %s', async (_, flags, sentence, code) => {
    const broken = join(directory.path, 'broken');
    await writeFile(broken, 'nonsense');
    const [port = 0] = await freePorts(1);
    const all = flags.map((flag) => (flag === 'BROKEN' ? broken : flag));
    const result = await runCoxswain([
      'serve',
      '--secure-port',
      String(port),
      '--data-dir',
      join(directory.path, `refused-${port}`),
      ...all,
    ]);
    expect(result.stderr).toContain(sentence.replace('BROKEN', broken));
    expect(result.stderr).toMatch(/^[^\n]+\n$/);
    expect(result.code).toBe(code);
  });
});
