import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '../apimachinery/time/clock.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import type { Log } from '../observability/logging.ts';
import { silentLog } from '../observability/logging.ts';
import { CertificateError } from './certificate-error.ts';
import { createAuthority, DAY_MS, issueCertificate } from './issue.ts';
import { openPki, readAuthority } from './pki.ts';
import type { PkiOptions } from './pki.ts';
import { serverNames } from './server-names.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const YEAR_MS = 365 * DAY_MS;
/** In the order in which they are written. */
const FILES = ['ca.key', 'ca.crt', 'server.key', 'server.crt', 'admin.key', 'admin.crt'];
const NAMES = ['localhost', 'host.example', '127.0.0.1', '::1'];

let parent = '';
let dir = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'coxswain-pki-'));
  dir = join(parent, 'data', 'pki');
});
afterEach(() => rm(parent, { recursive: true }));

const clockAt = (now: number): Clock => ({ ...systemClock, now: () => now });
const open = (now = START, options: Partial<PkiOptions> = {}) =>
  openPki({ dir, serverNames: NAMES, admin: true, clock: clockAt(now), log: silentLog, ...options });
const file = (name: string) => join(dir, name);
const contents = async () => Promise.all(FILES.map(async (name) => [name, await readFile(file(name), 'utf8')] as const));
const openssl = (...args: string[]): string => execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const textOf = (name: string) => openssl('x509', '-in', file(name), '-noout', '-text').replace(/\s+/g, ' ');
const endOf = (pem: string | undefined) => new X509Certificate(pem ?? '').validToDate.getTime();

describe('A first start', () => {
  it('creates a CA and its certificates, which OpenSSL accepts', async () => {
    await open();
    const at = ['-attime', String(START / 1000), '-x509_strict', '-CAfile', file('ca.crt')];
    expect(openssl('verify', ...at, '-purpose', 'sslserver', '-verify_ip', '::1', file('server.crt'))).toMatch(/OK$/m);
    expect(openssl('verify', ...at, '-purpose', 'sslserver', '-verify_hostname', 'host.example', file('server.crt'))).toMatch(/OK$/m);
    expect(openssl('verify', ...at, '-purpose', 'sslclient', file('admin.crt'))).toMatch(/OK$/m);
    expect(() => openssl('verify', ...at, '-purpose', 'sslserver', file('admin.crt'))).toThrow();
    expect(() => openssl('verify', ...at, '-purpose', 'sslclient', file('server.crt'))).toThrow();
  });

  it('gives each certificate only the usages it needs', async () => {
    await open();
    const ca = textOf('ca.crt');
    expect(ca).toContain('X509v3 Basic Constraints: critical CA:TRUE, pathlen:0');
    expect(ca).toContain('X509v3 Key Usage: critical Certificate Sign, CRL Sign');
    const server = textOf('server.crt');
    expect(server).toContain('NIST CURVE: P-256');
    expect(server).toContain('X509v3 Basic Constraints: critical CA:FALSE');
    expect(server).toContain('X509v3 Key Usage: critical Digital Signature');
    expect(server).toMatch(/X509v3 Extended Key Usage: TLS Web Server Authentication X509v3/);
    expect(server).toContain('DNS:localhost, DNS:host.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    const admin = textOf('admin.crt');
    expect(admin).toMatch(/Subject: O ?= ?system:masters, CN ?= ?coxswain-admin/);
    expect(admin).toMatch(/X509v3 Extended Key Usage: TLS Web Client Authentication X509v3/);
    expect(admin).not.toContain('Alternative Name');
  });

  it('writes keys in a form that all clients can read', async () => {
    await open();
    for (const name of ['ca.key', 'server.key', 'admin.key']) {
      expect(await readFile(file(name), 'utf8')).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n[^]+\n-----END EC PRIVATE KEY-----\n$/);
    }
  });

  it('makes the CA valid for ten years and the others for one', async () => {
    const { ca, server, admin } = await open();
    expect(endOf(ca.cert) - START).toBe(3650 * DAY_MS);
    expect(endOf(server?.cert) - START).toBe(YEAR_MS);
    expect(endOf(admin?.cert) - START).toBe(YEAR_MS);
  });

  it('gives each certificate its own serial number and key', async () => {
    const { ca, server, admin } = await open();
    const certificates = [ca.cert, server?.cert, admin?.cert].map((pem) => new X509Certificate(pem ?? ''));
    expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    for (const { serialNumber } of certificates) expect(serialNumber).toMatch(/^[0-9A-F]{32}$/);
    expect(new Set(certificates.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }).toString())).size).toBe(3);
  });

  it('makes the files unreadable for others, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await open();
    } finally {
      process.umask(before);
    }
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    for (const name of FILES) expect((await stat(file(name))).mode & 0o777).toBe(0o600);
  });

  it('creates only what is requested', async () => {
    const pki = await openPki({ dir, admin: true, clock: clockAt(START), log: silentLog });
    expect(Object.keys(pki)).toEqual(['ca', 'admin']);
    expect((await readdir(dir)).filter((name) => name.startsWith('server'))).toEqual([]);
  });

  it('is safe if several run concurrently: the result is one CA and one of each certificate', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(new Set(all.map((pki) => JSON.stringify(pki))).size).toBe(1);
    expect(JSON.stringify(await open())).toBe(JSON.stringify(all[0]));
  });
});

describe('A later start', () => {
  it('leaves all files unchanged', async () => {
    await open();
    const before = await contents();
    await open(START + 300 * DAY_MS);
    expect(await contents()).toEqual(before);
  });

  it('renews certificates with fewer than 30 days left, under the same CA', async () => {
    const first = await open();
    const soon = await open(START + YEAR_MS - 31 * DAY_MS);
    expect(soon).toEqual(first);
    const then = START + YEAR_MS - 29 * DAY_MS;
    const renewed = await open(then);
    expect(renewed.ca).toEqual(first.ca);
    expect(endOf(renewed.server?.cert)).toBe(then + YEAR_MS);
    expect(endOf(renewed.admin?.cert)).toBe(then + YEAR_MS);
    expect(await open(then)).toEqual(renewed);
  });

  it('lets no certificate outlive the CA, and does not renew it repeatedly then', async () => {
    await open();
    const late = START + 3640 * DAY_MS;
    const { ca, server } = await open(late);
    expect(endOf(server?.cert)).toBe(endOf(ca.cert));
    expect((await open(late)).server).toEqual(server);
  });

  it('replaces the server certificate if a name is missing, and nothing else', async () => {
    const first = await open();
    const second = await open(START, { serverNames: [...NAMES, '192.0.2.7'] });
    expect(second.server).not.toEqual(first.server);
    expect(second.admin).toEqual(first.admin);
    expect(new X509Certificate(second.server?.cert ?? '').checkIP('192.0.2.7')).toBe('192.0.2.7');
    // Additional names are accepted.
    expect((await open()).server).toEqual(second.server);
  });

  it.each<[string, (other: { cert: string; key: string }) => Promise<void>]>([
    [
      'is of another CA',
      async ({ cert, key }) => {
        await writeFile(file('server.crt'), cert);
        await writeFile(file('server.key'), key);
      },
    ],
    ['has the key of another', async ({ key }) => writeFile(file('server.key'), key)],
    ['is broken', async () => writeFile(file('server.crt'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')],
    ['is empty', async () => writeFile(file('server.crt'), '')],
    ['has lost its key', async () => rm(file('server.key'))],
    [
      'is for clients',
      async () => {
        await writeFile(file('server.crt'), await readFile(file('admin.crt')));
        await writeFile(file('server.key'), await readFile(file('admin.key')));
      },
    ],
  ])('replaces a server certificate that %s', async (_, spoil) => {
    const first = await open();
    const other = await createAuthority({ commonName: 'coxswain-ca', now: START });
    await spoil(await issueCertificate(other, { commonName: 'coxswain', usage: 'server', names: NAMES, now: START }));
    const { ca, server, admin } = await open();
    expect(ca).toEqual(first.ca);
    expect(admin).toEqual(first.admin);
    expect(
      openssl('verify', '-attime', String(START / 1000), '-CAfile', file('ca.crt'), '-purpose', 'sslserver', file('server.crt')),
    ).toMatch(/OK$/m);
    expect(await open()).toEqual({ ca, server, admin });
  });

  it.each(Array.from({ length: FILES.length }, (_, count) => count))('completes what a crash left after %d files', async (count) => {
    await open();
    const kept = new Map((await contents()).slice(0, count));
    for (const name of FILES.slice(count)) await rm(file(name));
    await writeFile(file(`.${FILES[count] ?? ''}.c0ffee`), '-----BEGIN PRIV'); // what was being written
    const pki = await open();
    expect(openssl('verify', '-attime', String(START / 1000), '-CAfile', file('ca.crt'), file('server.crt'), file('admin.crt'))).toMatch(
      /OK\n.*OK\n/,
    );
    expect((await readdir(dir)).sort()).toEqual([...FILES, 'lock.db'].sort());
    expect(pki).toEqual(await open());
    // A complete pair is kept.
    for (const name of ['ca', 'server', 'admin']) {
      const cert = kept.get(`${name}.crt`);
      if (cert !== undefined) expect(await readFile(file(`${name}.crt`), 'utf8')).toBe(cert);
    }
  });

  it('removes permissions of others from keys, and logs it', async () => {
    await open();
    await chmod(file('ca.key'), 0o644);
    await chmod(dir, 0o755);
    const warned: unknown[] = [];
    const log: Log = { ...silentLog, warn: (_, fields) => warned.push(fields?.['path']) };
    await open(START, { log });
    expect(warned).toEqual([dir, file('ca.key')]);
    expect((await stat(file('ca.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it('warns if the CA expires soon', async () => {
    await open();
    const warned: string[] = [];
    await open(START + 3600 * DAY_MS, { log: { ...silentLog, warn: (message) => warned.push(message) } });
    expect(warned).toContain('CA and certificates expire soon');
  });
});

describe('An unusable CA', () => {
  it.each<[string, string, () => Promise<void>, number?]>([
    ['expired', 'ca.crt expired on 2036-', async () => undefined, START + 3651 * DAY_MS],
    ['is of the future', 'ca.crt is not valid before 2026-11-21T11:55:00.000Z; is the clock right?', async () => undefined, START - DAY_MS],
    ['is no PEM', 'ca.crt is not a PEM certificate', async () => writeFile(file('ca.crt'), 'nonsense')],
    ['is empty', 'ca.crt is not a PEM certificate', async () => writeFile(file('ca.crt'), '')],
    ['is no CA', 'ca.crt is not a CA certificate', async () => writeFile(file('ca.crt'), await readFile(file('server.crt')))],
    ['is gone', 'ca.crt is missing', async () => rm(file('ca.crt'))],
    ['has lost its key', 'ca.key, is missing', async () => rm(file('ca.key'))],
    ['has a broken key', 'ca.key, is not a PEM key', async () => writeFile(file('ca.key'), 'nonsense')],
    ['has another key', 'ca.key does not match', async () => writeFile(file('ca.key'), await readFile(file('admin.key')))],
  ])('that %s is reported in one sentence and never replaced', async (_, text, spoil, now = START) => {
    await open();
    await spoil();
    const before = await readFile(file('ca.crt'), 'utf8').catch(() => undefined);
    const refused = open(now);
    await expect(refused).rejects.toThrow(CertificateError);
    await expect(refused).rejects.toThrow(text);
    await expect(refused).rejects.toThrow(dir);
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
    expect(await readFile(file('ca.crt'), 'utf8').catch(() => undefined)).toBe(before);
  });

  it.each([
    ['', []],
    [
      ', with a key identifier of its own making',
      ['-addext', 'subjectKeyIdentifier=01:02:03:04', '-addext', 'authorityKeyIdentifier=none'],
    ],
    [', without a key identifier', ['-addext', 'subjectKeyIdentifier=none']],
  ])('is never an RSA CA provided by the operator%s', async (_, extension) => {
    await open();
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      file('ca.key'),
      '-out',
      file('ca.crt'),
      '-subj',
      '/O=Example/CN=Own CA',
      '-days',
      '30',
      ...extension,
    );
    const now = Date.now();
    const made = await open(now);
    expect(openssl('verify', '-CAfile', file('ca.crt'), file('server.crt'), file('admin.crt'))).toMatch(/OK\n.*OK\n/);
    expect(await open(now)).toEqual(made);
  });

  it('is reported as missing if it is needed and none was created', async () => {
    await expect(readAuthority(dir, START)).rejects.toThrow(`There is no CA in ${dir}. Start the server once to create it.`);
  });

  it('is reported if its folder cannot be created', async () => {
    await expect(open(START, { dir: '/proc/coxswain/pki' })).rejects.toThrow('/proc/coxswain');
  });
});

describe('The names of a server', () => {
  it.each([
    ['127.0.0.1', 'Host.Example', ['localhost', 'host.example', '127.0.0.1', '::1']],
    ['0.0.0.0', 'host', ['localhost', 'host', '127.0.0.1', '::1']],
    ['::', 'localhost', ['localhost', '127.0.0.1', '::1']],
    ['192.0.2.7', 'not_a_name', ['localhost', '127.0.0.1', '::1', '192.0.2.7']],
    ['2001:db8::7', '', ['localhost', '127.0.0.1', '::1', '2001:db8::7']],
  ])('bound to %s on the host %j', (bindAddress, hostName, names) => {
    expect(serverNames({ bindAddress, hostName })).toEqual(names);
  });
});
