/** Whether a certificate and a key belong together, in the words of Go's `tls.X509KeyPair`. */
import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { pemBlocks } from './pem.ts';

/** Undefined if a server could use both. They are PEM; the first certificate counts. */
export function keyPairProblem(certificatePem: Buffer, keyPem: Buffer): string | undefined {
  const certificates = [...pemBlocks(certificatePem)];
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return noCertificate(certificates.map(({ type }) => type));
  const keys = [...pemBlocks(keyPem)];
  const keyAt = keys.findIndex(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  const key = keys[keyAt];
  if (key === undefined) return noKey(keys.map(({ type }) => type));
  const owner = readPublicKey(certificate.bytes);
  if (typeof owner === 'string') return owner;
  const secret = readPrivateKey(key.bytes);
  return typeof secret === 'string' ? secret : mismatch(owner, secret);
}

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && types[0]?.endsWith('PRIVATE KEY') === true)
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

/** The curves of Go's standard library, as OpenSSL names them. */
const CURVES: ReadonlySet<string | undefined> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);
const isKnownCurve = ({ asymmetricKeyDetails }: KeyObject): boolean => CURVES.has(asymmetricKeyDetails?.namedCurve);

const SEQUENCE = 0x30;

/** The whole length of the DER element at the start; undefined if it is no sequence or incomplete. */
function sequenceLength(der: Buffer): number | undefined {
  const [tag, first = 0] = der;
  if (tag !== SEQUENCE || der.byteLength < 2) return undefined;
  if (first < 0x80) return 2 + first <= der.byteLength ? 2 + first : undefined;
  const bytes = first & 0x7f;
  if (bytes === 0 || bytes > 4 || der.byteLength < 2 + bytes) return undefined;
  const length = 2 + bytes + der.readUIntBE(2, bytes);
  return length <= der.byteLength ? length : undefined;
}

const MALFORMED = 'x509: malformed certificate';

/** A text is the problem. */
function readPublicKey(der: Buffer): KeyObject | string {
  const length = sequenceLength(der);
  if (length === undefined) return MALFORMED;
  try {
    const { publicKey, serialNumber } = new X509Certificate(der.subarray(0, length));
    if (serialNumber.startsWith('-')) return 'x509: negative serial number';
    if (length < der.byteLength) return 'x509: trailing data';
    return publicKey.asymmetricKeyType === 'ec' && !isKnownCurve(publicKey) ? 'x509: unsupported elliptic curve' : publicKey;
  } catch {
    return MALFORMED;
  }
}

const UNPARSED = 'tls: failed to parse private key';

/** A text is the problem. The type of the PEM block does not matter. */
function readPrivateKey(der: Buffer): KeyObject | string {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    const key = privateKeyOf(der, type);
    if (key === undefined) continue;
    switch (key.asymmetricKeyType) {
      case 'rsa':
      case 'ed25519':
        return key;
      case 'ec':
        return isKnownCurve(key) ? key : UNPARSED;
      case 'x25519':
        return 'tls: found unknown private key type in PKCS#8 wrapping';
      default:
        return UNPARSED;
    }
  }
  return UNPARSED;
}

function privateKeyOf(der: Buffer, type: 'pkcs1' | 'pkcs8' | 'sec1'): KeyObject | undefined {
  try {
    return createPrivateKey({ key: der, format: 'der', type });
  } catch {
    return undefined;
  }
}

const USABLE: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);

function mismatch(owner: KeyObject, secret: KeyObject): string | undefined {
  if (!USABLE.has(owner.asymmetricKeyType)) return 'tls: unknown public key algorithm';
  if (owner.asymmetricKeyType !== secret.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return createPublicKey(secret).equals(owner) ? undefined : 'tls: private key does not match public key';
}
