import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { silentLog } from '../observability/logging.ts';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { CertificateError } from './certificate-error.ts';
import { createAuthority, DAY_MS, issueCertificate } from './issue.ts';
import type { CertifiedKey } from './issue.ts';
import { openServingCertificates } from './serving-certificates.ts';
import type { ServingOptions } from './serving-certificates.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const URL = 'https://127.0.0.1:6443';

let authority: CertifiedKey;
let first: CertifiedKey;
let second: CertifiedKey;
beforeAll(async () => {
  authority = await createAuthority({ commonName: 'given', now: START });
  const leaf = { commonName: 'given', usage: 'server', names: ['given.example', '192.0.2.7'], now: START } as const;
  [first, second] = await Promise.all([issueCertificate(authority, leaf), issueCertificate(authority, leaf)]);
});

let dir = '';
let clock = new ManualClock(START);
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coxswain-serving-'));
  clock = new ManualClock(START);
});
afterEach(() => rm(dir, { recursive: true }));

const path = (name: string) => join(dir, name);
let written = 0;
/** Gives each text its own modification time, like files written minutes apart. */
async function write(name: string, text: string): Promise<void> {
  await writeFile(path(name), text);
  written += 1;
  await utimes(path(name), written, written);
}
const named = (flag: string, name: string) => ({ flag, path: path(name) });
const serverFiles = () => ({ server: { cert: named('--tls-cert-file', 'tls.crt'), key: named('--tls-private-key-file', 'tls.key') } });
const clientFiles = () => ({ clientCa: named('--client-ca-file', 'clients.crt') });
const open = (files: ServingOptions['files'] = {}) =>
  openServingCertificates({ pkiDir: path('pki'), serverNames: ['localhost', '127.0.0.1'], files, clock, log: silentLog });
const clusterOf = (kubeconfig: string | undefined) =>
  (parse(kubeconfig ?? '') as { clusters: { cluster: Record<string, string> }[] }).clusters[0]?.cluster ?? {};

describe('Without certificate files', () => {
  it("the server's own CA serves, verifies clients, and signs the admin's kubeconfig", async () => {
    const certificates = await open();
    const ca = new X509Certificate(certificates.tls.clientCa);
    expect(new X509Certificate(certificates.tls.cert).verify(ca.publicKey)).toBe(true);
    const config = parse(certificates.adminKubeconfig(URL) ?? '') as { users: { user: Record<string, string> }[] };
    expect(config).toMatchObject({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'coxswain',
      clusters: [{ name: 'coxswain', cluster: { server: URL } }],
      contexts: [{ name: 'coxswain', context: { cluster: 'coxswain', user: 'coxswain' } }],
      users: [{ name: 'coxswain' }],
    });
    const embedded = (name: string) => Buffer.from(config.users[0]?.user[name] ?? '', 'base64').toString();
    expect(new X509Certificate(embedded('client-certificate-data')).verify(ca.publicKey)).toBe(true);
    expect(embedded('client-key-data')).toContain('BEGIN EC PRIVATE KEY');
    expect(clusterOf(certificates.adminKubeconfig(URL))).not.toHaveProperty('tls-server-name');
  });

  it('an admin key of an older server is kept, and converted for the kubeconfig', async () => {
    const kubeconfig = (await open()).adminKubeconfig(URL);
    const keyPath = join(path('pki'), 'admin.key');
    const older = createPrivateKey(await readFile(keyPath))
      .export({ type: 'pkcs8', format: 'pem' })
      .toString();
    await writeFile(keyPath, older);
    expect((await open()).adminKubeconfig(URL)).toBe(kubeconfig);
    expect(await readFile(keyPath, 'utf8')).toBe(older);
  });

  it('an address that is not in the certificate is verified as localhost', async () => {
    expect(clusterOf((await open()).adminKubeconfig('https://192.0.2.1:6443'))).toMatchObject({
      server: 'https://192.0.2.1:6443',
      'tls-server-name': 'localhost',
    });
  });

  it('certificates are checked once a day, and renewed while the server runs', async () => {
    const certificates = await open();
    const before = { ...certificates.tls };
    clock.advance(300 * DAY_MS);
    expect(await certificates.refresh()).toBe(false);
    clock.advance(35.5 * DAY_MS);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.tls.cert).not.toBe(before.cert);
    expect(certificates.tls.clientCa).toBe(before.clientCa);
    expect(await certificates.refresh()).toBe(false);
  });
});

describe('With certificate files', () => {
  beforeEach(async () => {
    await write('tls.crt', first.cert);
    await write('tls.key', first.key);
    await write('clients.crt', authority.cert);
  });

  it('for everything, no CA is created and no kubeconfig is possible', async () => {
    const certificates = await open({ ...serverFiles(), ...clientFiles() });
    expect(certificates.tls).toEqual({ cert: first.cert, key: first.key, clientCa: authority.cert });
    expect(certificates.adminKubeconfig(URL)).toBeUndefined();
    expect(await readdir(dir)).not.toContain('pki');
  });

  it('for the server only, the own CA verifies clients and creates no server certificate', async () => {
    const certificates = await open(serverFiles());
    expect(certificates.tls.cert).toBe(first.cert);
    expect((await readdir(path('pki'))).filter((name) => name.startsWith('server'))).toEqual([]);
    // The file does not contain the CA, so clients must trust it themselves.
    const cluster = clusterOf(certificates.adminKubeconfig(URL));
    expect(cluster).toEqual({ server: URL, 'tls-server-name': 'given.example' });
    expect(clusterOf(certificates.adminKubeconfig('https://192.0.2.7:6443'))).toEqual({ server: 'https://192.0.2.7:6443' });
  });

  it('a chain including its root is trusted by the kubeconfig', async () => {
    await write('tls.crt', first.cert + authority.cert);
    const data = clusterOf((await open(serverFiles())).adminKubeconfig(URL))['certificate-authority-data'] ?? '';
    expect(new X509Certificate(Buffer.from(data, 'base64')).fingerprint256).toBe(new X509Certificate(authority.cert).fingerprint256);
  });

  it('for clients only, the own CA serves, and there is no admin kubeconfig', async () => {
    const certificates = await open(clientFiles());
    expect(certificates.tls.clientCa).toBe(authority.cert);
    expect(new X509Certificate(certificates.tls.cert).checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificates.adminKubeconfig(URL)).toBeUndefined();
    expect((await readdir(path('pki'))).filter((name) => name.startsWith('admin'))).toEqual([]);
  });

  it('changed files are served', async () => {
    const certificates = await open({ ...serverFiles(), ...clientFiles() });
    expect(await certificates.refresh()).toBe(false);
    await write('tls.crt', second.cert);
    await write('tls.key', second.key);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.tls).toEqual({ cert: second.cert, key: second.key, clientCa: authority.cert });
    expect(await certificates.refresh()).toBe(false);
  });

  it('a broken file is reported once, and the old one is served until it is fixed', async () => {
    const certificates = await open(serverFiles());
    const before = certificates.tls;
    await write('tls.crt', second.cert);
    await expect(certificates.refresh()).rejects.toThrow('tls.key does not match the certificate in');
    expect(certificates.tls).toEqual(before);
    expect(await certificates.refresh()).toBe(false);
    await write('tls.key', second.key);
    expect(await certificates.refresh()).toBe(true);
    expect(certificates.tls.cert).toBe(second.cert);
  });

  it('a deleted file is reported once, and the old one is still served', async () => {
    const certificates = await open(clientFiles());
    await rm(path('clients.crt'));
    await expect(certificates.refresh()).rejects.toThrow('--client-ca-file');
    expect(await certificates.refresh()).toBe(false);
    expect(certificates.tls.clientCa).toBe(authority.cert);
  });

  it.each<[string, string, string, number?]>([
    ['tls.crt', 'nonsense', '--tls-cert-file: FILE has no certificate in PEM'],
    ['tls.crt', '', '--tls-cert-file: FILE has no certificate in PEM'],
    ['tls.key', 'nonsense', '--tls-private-key-file: FILE contains no valid PEM key'],
    ['tls.key', 'SECOND', '--tls-private-key-file: FILE does not match the certificate in'],
    ['tls.crt', 'FIRST', '--tls-cert-file: FILE expired on 2027-11-21', START + 366 * DAY_MS],
    ['tls.crt', 'FIRST', '--tls-cert-file: FILE is not valid before', START - DAY_MS],
    ['clients.crt', 'nonsense', '--client-ca-file: FILE has no certificate in PEM'],
    ['clients.crt', 'CA', '--client-ca-file: FILE contains no certificate that is currently valid', START + 3651 * DAY_MS],
  ])('%s containing %j is rejected: %s', async (name, text, message, now = START) => {
    await write(name, { SECOND: second.key, FIRST: first.cert, CA: authority.cert }[text] ?? text);
    clock = new ManualClock(now);
    const refused = open(name === 'clients.crt' ? clientFiles() : serverFiles());
    await expect(refused).rejects.toThrow(CertificateError);
    await expect(refused).rejects.toThrow(message.replace('FILE', path(name)));
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
    expect(await readdir(dir)).not.toContain('pki');
  });

  it.each([
    ['tls.crt', '--tls-cert-file'],
    ['tls.key', '--tls-private-key-file'],
    ['clients.crt', '--client-ca-file'],
  ])('a missing %s is reported with its flag', async (name, flag) => {
    await rm(path(name));
    await expect(open({ ...serverFiles(), ...clientFiles() })).rejects.toThrow(`${flag}: ${path(name)} cannot be read`);
  });
});

describe('With certificates by name', () => {
  const pair = (file: string, ...names: readonly string[]) => ({
    names,
    cert: named('--tls-sni-cert-key', `${file}.crt`),
    key: named('--tls-sni-cert-key', `${file}.key`),
  });
  const writePair = async (file: string, { cert, key }: CertifiedKey) => {
    await write(`${file}.crt`, cert);
    await write(`${file}.key`, key);
  };

  it('names that are given count before those in certificates, the first before others', async () => {
    await writePair('first', first);
    await writePair('second', second);
    const namedFiles = [pair('first'), pair('second', 'Given.example', '*.other.example'), pair('first', '*.other.example')];
    const { byName } = (await open({ named: namedFiles })).tls;
    expect([...(byName ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['*.other.example', second],
      ['given', first],
      ['given.example', second],
    ]);
  });

  it('changed files are read again', async () => {
    await writePair('one', first);
    const certificates = await open({ named: [pair('one', 'a.example')] });
    expect(await certificates.refresh()).toBe(false);
    await writePair('one', second);
    expect([await certificates.refresh(), certificates.tls.byName?.get('a.example')]).toEqual([true, second]);
  });

  it('a broken file is an error that names the flag', async () => {
    await writePair('one', { cert: first.cert, key: second.key });
    await expect(open({ named: [pair('one')] })).rejects.toThrow(`--tls-sni-cert-key: ${path('one.key')} does not match`);
  });
});
