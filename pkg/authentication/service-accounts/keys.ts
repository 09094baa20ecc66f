/** Keys of ServiceAccount tokens: one that signs, and all that verify. */
import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export interface VerificationKey {
  /** Derived from the key as in Kubernetes, so that servers with the same key name it the same. */
  readonly id: string;
  readonly algorithm: 'RS256' | 'ES256' | 'ES384' | 'ES512';
  readonly key: KeyObject;
}

export interface ServiceAccountKeys {
  readonly signing: VerificationKey;
  /** Includes that of `signing`, which is the first. */
  readonly verification: readonly VerificationKey[];
}

const RSA_BITS = 2048;
const CURVES: Readonly<Record<string, VerificationKey['algorithm']>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;

/** A new private key in PEM. RSA, which every client that verifies tokens knows. */
export async function generateSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** `signing`: PEM of the private key. `others`: PEM of further keys that verify; private ones count as public. */
export function parseServiceAccountKeys(signing: string, others: readonly string[] = []): ServiceAccountKeys {
  const [pem] = blocksOf(signing).filter((block) => block.includes('PRIVATE KEY'));
  const privateKey = pem === undefined ? undefined : tryKey(() => createPrivateKey(pem));
  if (privateKey === undefined) throw new Error('contains no valid PEM private key without passphrase');
  const own = toVerificationKey(createPublicKey(privateKey));
  const further = others.flatMap(parseVerificationKeys);
  const all = new Map([own, ...further].map((key) => [key.id, key]));
  return { signing: { ...own, key: privateKey }, verification: [...all.values()] };
}

/** The keys of a PEM file: public keys, private keys, certificates. Throws an Error that completes the file's name. */
export function parseVerificationKeys(text: string): readonly VerificationKey[] {
  const keys = blocksOf(text).map((block) => {
    const key = tryKey(() => createPublicKey(block));
    if (key === undefined) throw new Error('contains a PEM block that is no valid key');
    return toVerificationKey(key);
  });
  if (keys.length === 0) throw new Error('contains no key in PEM');
  return keys;
}

const blocksOf = (text: string): readonly string[] => [...text.matchAll(PEM_BLOCK)].map(([block]) => block);

function tryKey(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined; // not PEM, broken, or locked with a passphrase
  }
}

function toVerificationKey(key: KeyObject): VerificationKey {
  const der = key.export({ type: 'spki', format: 'der' });
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm === undefined) throw new Error('contains a key that is neither RSA nor EC P-256, P-384 or P-521');
  return { id: hash('sha256', der, 'base64url'), algorithm, key };
}
