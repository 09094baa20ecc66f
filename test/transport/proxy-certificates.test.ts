/** Whose certificate a client shows, when certificates of clients and of proxies have CAs of their own. */
import 'reflect-metadata'; // the library of certificates expects it to be there
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension } from '@peculiar/x509';
import { KeyUsageFlags, KeyUsagesExtension, X509Certificate, X509CertificateGenerator } from '@peculiar/x509';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate } from '../../pkg/certificates/issue.ts';
import type { CertifiedKey } from '../../pkg/certificates/issue.ts';
import type { SecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { dialTls, exchange, openSecure, tls, type Transport } from './transport.ts';

let clients: CertifiedKey;
let proxies: CertifiedKey;
let client: CertifiedKey;
let proxy: CertifiedKey;
beforeAll(async () => {
  const now = Date.now();
  clients = await createAuthority({ commonName: 'clients', now });
  proxies = await createAuthority({ commonName: 'proxies', now });
  client = await issueCertificate(clients, { commonName: 'client', usage: 'client', now });
  proxy = await issueCertificate(proxies, { commonName: 'proxy', usage: 'client', now });
});

let transport: Transport<SecureListener>;
beforeEach(async () => {
  transport = await openSecure({ tls: { ...tls, clientCa: clients.cert, proxyCa: proxies.cert } });
});
afterEach(() => transport.listener.stop(0));

async function seen({ cert, key }: CertifiedKey): Promise<unknown> {
  const socket = await dialTls(transport.port, { cert, key });
  const answer = await exchange(socket, 'GET /certificate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

/** With the names and key identifiers of a certificate of the CA of clients that the CA of proxies issued. */
async function forgedIntermediate(): Promise<string> {
  const [issuer, subject] = [new X509Certificate(proxies.cert), new X509Certificate(clients.cert)];
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const identifierOf = (certificate: X509Certificate) => certificate.getExtension(SubjectKeyIdentifierExtension)?.keyId ?? '';
  const forged = await X509CertificateGenerator.create({
    subject: subject.subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    serialNumber: '01',
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      new SubjectKeyIdentifierExtension(identifierOf(subject)),
      new AuthorityKeyIdentifierExtension(identifierOf(issuer)),
    ],
  });
  return `${forged.toString('pem')}\n`;
}

describe('A certificate', () => {
  it('of a CA of clients is that of a client', async () => {
    expect(await seen(client)).toMatchObject({ commonName: 'client' });
    expect(await seen(client)).not.toHaveProperty('isProxy');
    expect(await seen(client)).not.toHaveProperty('failure');
  });

  it('of a CA of proxies is that of a proxy, and of no client', async () => {
    expect(await seen(proxy)).toMatchObject({ commonName: 'proxy', isProxy: true, failure: 'it was not issued by a CA of clients' });
  });

  it.each([
    ['the CA of proxies', async () => proxies.cert],
    ['a forged certificate between both CAs', async () => `${await forgedIntermediate()}${proxies.cert}`],
    ['the certificate of a proxy', async () => `${proxy.cert}${proxies.cert}`],
  ])('of a client is not that of a proxy because %s is sent along', async (_, others) => {
    expect(await seen({ cert: client.cert + (await others()), key: client.key })).not.toHaveProperty('isProxy');
  });
});
