/** Certificates by server name, and the settings of TLS. */
import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate } from '../../pkg/certificates/issue.ts';
import type { CertifiedKey } from '../../pkg/certificates/issue.ts';
import { toCiphers, findCipherSuite } from '../../pkg/server/lifecycle/cipher-suites.ts';
import type { SecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { client, dialTls, exchange, openSecure, tls, type Transport } from './transport.ts';

const certificates = new Map<string, CertifiedKey>();
beforeAll(async () => {
  const now = Date.now();
  const authority = await createAuthority({ commonName: 'names', now });
  for (const commonName of ['first', 'second', 'wild']) {
    certificates.set(commonName, await issueCertificate(authority, { commonName, usage: 'server', names: [`${commonName}.example`], now }));
  }
});

const certificate = (name: string): CertifiedKey => certificates.get(name) ?? { cert: '', key: '' };

let transport: Transport<SecureListener> | undefined;
afterEach(async () => {
  await transport?.listener.stop(0);
  transport = undefined;
});
const port = () => transport?.port ?? 0;

/** The common name of the certificate that the server shows. */
async function shownFor(servername: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = await dialTls(port(), { servername, rejectUnauthorized: false, ...options });
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

const ownName = String(new X509Certificate(tls.cert).toLegacyObject().subject.CN);
const named = () => ({
  ...tls,
  byName: new Map([
    ['first.example', certificate('first')],
    ['*.example', certificate('wild')],
  ]),
});

describe('A certificate by server name', () => {
  it.each([
    ['first.example', 'first'],
    ['FIRST.example', 'first'],
    ['other.example', 'wild'],
    ['a.other.example', ownName],
    ['example', ownName],
    ['', ownName],
  ])('for %j is that of %s', async (servername, shown) => {
    transport = await openSecure({ tls: named() });
    expect(await shownFor(servername)).toBe(shown);
    expect(await shownFor(servername, { maxVersion: 'TLSv1.2' })).toBe(shown);
  });

  it('verifies client certificates as the other one does', async () => {
    transport = await openSecure({ tls: named() });
    const seen = async (options: ConnectionOptions) => {
      const socket = await dialTls(port(), { servername: 'first.example', rejectUnauthorized: false, ...options });
      return exchange(socket, 'GET /certificate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    };
    expect(await seen(client)).toMatch(/"commonName":"client"[^]*$/);
    expect(await seen(client)).not.toContain('failure');
    expect(await seen(certificate('second'))).toContain('"failure"');
  });

  it('changes while the server runs, but not to one that does not match its key', async () => {
    transport = await openSecure({ tls: named() });
    const { listener } = transport;
    listener.replaceTls({ ...tls, byName: new Map([['first.example', certificate('second')]]) });
    expect([await shownFor('first.example'), await shownFor('other.example')]).toEqual(['second', ownName]);
    const broken = { cert: certificate('first').cert, key: certificate('second').key };
    expect(() => listener.replaceTls({ ...tls, byName: new Map([['first.example', broken]]) })).toThrow('key');
    expect(await shownFor('first.example')).toBe('second');
  });
});

describe('The settings of TLS', () => {
  const cipherOf = async (ciphers: string) => {
    const socket = await dialTls(port(), { ciphers, maxVersion: 'TLSv1.2' });
    const { name } = socket.getCipher();
    socket.destroy();
    return name;
  };

  it('serve ephemeral keys alone by default, the strongest suite first', async () => {
    transport = await openSecure();
    expect(await cipherOf('ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-GCM-SHA256')).toBe('ECDHE-ECDSA-AES128-GCM-SHA256');
    for (const weak of ['AES128-GCM-SHA256', 'AES256-SHA', 'DHE-RSA-AES128-GCM-SHA256']) await expect(cipherOf(weak)).rejects.toThrow();
  });

  it('serve the suites that were chosen, and those of TLS 1.3', async () => {
    const suite = findCipherSuite('TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
    transport = await openSecure({ tlsSettings: { minVersion: 'TLSv1.2', ciphers: toCiphers(suite === undefined ? [] : [suite]) } });
    expect(await cipherOf('ECDHE-ECDSA-AES256-GCM-SHA384')).toBe('ECDHE-ECDSA-AES256-GCM-SHA384');
    await expect(cipherOf('ECDHE-ECDSA-AES128-GCM-SHA256')).rejects.toThrow();
    for (const ciphers of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']) {
      const socket = await dialTls(port(), { ciphers });
      expect(socket.getCipher().name).toBe(ciphers);
      socket.destroy();
    }
  });

  it.each(['', 'first.example'])('serve TLS 1.3 alone when it is the oldest version: name %j', async (servername) => {
    transport = await openSecure({ tls: named(), tlsSettings: { minVersion: 'TLSv1.3', ciphers: toCiphers([]) } });
    await expect(dialTls(port(), { servername, maxVersion: 'TLSv1.2', rejectUnauthorized: false })).rejects.toThrow();
    expect(await shownFor(servername)).toBe(servername === '' ? ownName : 'first');
  });
});
