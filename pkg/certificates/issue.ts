/** Makes certificates: a CA (RFC 5280) and what it signs. Writes nothing. */
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateError } from './certificate-error.ts';

/**
 * PEM texts. The key is SEC 1 (RFC 5915, `EC PRIVATE KEY`), as the tools of Kubernetes write keys on curves: fabric8's client for Java takes every key in PKCS #8
 * for one of RSA.
 */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}

export interface LeafOptions {
  readonly commonName: string;
  /** Subject O, one each: the groups of a client. */
  readonly organizations?: readonly string[];
  readonly usage: 'server' | 'client';
  /** Addresses and DNS names of a server. */
  readonly names?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const DAY_MS = 24 * 3_600_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A client whose clock is a little behind takes a certificate that was made just now, too. */
const BACKDATED_MS = 5 * 60_000;
const EC_P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const SERIAL_BYTES = 16;

/** A new CA, valid for ten years. It signs leaves only. */
export async function createAuthority({ commonName, now }: { readonly commonName: string; readonly now: number }): Promise<CertifiedKey> {
  const x509 = await import('./x509.ts');
  const keys = await webcrypto.subtle.generateKey(EC_P256, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    serialNumber: newSerialNumber(),
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: toPem(keys.privateKey) };
}

/** A new key and its certificate, valid for a year, or as long as the CA where that is less. */
export async function issueCertificate(authority: CertifiedKey, options: LeafOptions): Promise<CertifiedKey> {
  const { commonName, organizations = [], usage, names = [], now } = options;
  const x509 = await import('./x509.ts');
  const issuer = new x509.X509Certificate(authority.cert);
  const authorityKey = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  const { signingKey, signingAlgorithm } = await importSigningKey(authority.key);
  const keys = await webcrypto.subtle.generateKey(EC_P256, true, ['sign', 'verify']);
  const alternatives = names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm,
    serialNumber: newSerialNumber(),
    notBefore: new Date(Math.max(now - BACKDATED_MS, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(now + LEAF_DAYS * DAY_MS, issuer.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      // A CA that was put there by hand may have named its key in another way, and readers compare the two (RFC 5280 §4.2.1.1).
      authorityKey === null
        ? await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)
        : new x509.AuthorityKeyIdentifierExtension(authorityKey.keyId),
      ...(alternatives.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(alternatives)]),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: toPem(keys.privateKey) };
}

const toPem = (key: webcrypto.CryptoKey): string => KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();

/** Positive, never shorter than its bytes (RFC 5280 §4.1.2.2: at most 20). */
function newSerialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

const WEB_NAME_OF_CURVE: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
const HASH_OF_CURVE: Readonly<Record<string, string>> = { prime256v1: 'SHA-256', secp384r1: 'SHA-384', secp521r1: 'SHA-512' };

/** The CA may be one that was put there by hand: RSA, or another curve. */
async function importSigningKey(pem: string) {
  const key = createPrivateKey(pem);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    return { signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']), signingAlgorithm: algorithm };
  }
  const curve = details?.namedCurve ?? '';
  const namedCurve = WEB_NAME_OF_CURVE[curve];
  const hash = HASH_OF_CURVE[curve];
  if (type !== 'ec' || namedCurve === undefined || hash === undefined) {
    throw new CertificateError(
      `The key of the CA is of the kind ${type ?? 'unknown'} ${curve}; RSA and EC P-256, P-384 and P-521 can sign here.`,
    );
  }
  const algorithm = { name: 'ECDSA', namedCurve };
  return {
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash },
  };
}
