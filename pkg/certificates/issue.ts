/** Creates certificates: a CA (RFC 5280) and leaf certificates. Writes no files. */
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateError } from './certificate-error.ts';

/** PEM texts. Keys are SEC 1 (RFC 5915), because the fabric8 client for Java interprets every PKCS #8 key as RSA. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}

export interface LeafOptions {
  readonly commonName: string;
  /** One subject O each: the groups of a client. */
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
/** Tolerates clients whose clock is slightly slow. */
const CLOCK_SKEW_MS = 5 * 60_000;
const EC_P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const SERIAL_BYTES = 16;

/** A new CA, valid for ten years. It may sign leaf certificates only. */
export async function createAuthority({ commonName, now }: { readonly commonName: string; readonly now: number }): Promise<CertifiedKey> {
  const x509 = await import('./x509.ts');
  const keys = await webcrypto.subtle.generateKey(EC_P256, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    serialNumber: newSerialNumber(),
    notBefore: new Date(now - CLOCK_SKEW_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: toPem(keys.privateKey) };
}

/** A new key and its certificate, valid for a year, but not longer than the CA. */
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
    notBefore: new Date(Math.max(now - CLOCK_SKEW_MS, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(now + LEAF_DAYS * DAY_MS, issuer.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      // A CA provided by the operator may have another key identifier, and clients compare the two (RFC 5280 §4.2.1.1).
      authorityKey === null
        ? await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)
        : new x509.AuthorityKeyIdentifierExtension(authorityKey.keyId),
      ...(alternatives.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(alternatives)]),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: toPem(keys.privateKey) };
}

const toPem = (key: webcrypto.CryptoKey): string => KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();

/** Positive, and without leading zero bytes (RFC 5280 §4.1.2.2: at most 20 bytes). */
function newSerialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

const WEBCRYPTO_CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
const CURVE_HASHES: Readonly<Record<string, string>> = { prime256v1: 'SHA-256', secp384r1: 'SHA-384', secp521r1: 'SHA-512' };

/** The operator may provide an RSA CA, or one on another curve. */
async function importSigningKey(pem: string) {
  const key = createPrivateKey(pem);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    return { signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']), signingAlgorithm: algorithm };
  }
  const curve = details?.namedCurve ?? '';
  const namedCurve = WEBCRYPTO_CURVES[curve];
  const hash = CURVE_HASHES[curve];
  if (type !== 'ec' || namedCurve === undefined || hash === undefined) {
    throw new CertificateError(
      `The CA has a key of the unsupported type ${type ?? 'unknown'} ${curve}; use RSA or EC P-256, P-384 or P-521.`,
    );
  }
  const algorithm = { name: 'ECDSA', namedCurve };
  return {
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash },
  };
}
