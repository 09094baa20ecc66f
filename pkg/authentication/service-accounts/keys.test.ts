import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { jwtVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { generateSigningKey, parseServiceAccountKeys, parseVerificationKeys } from './keys.ts';
import { createOpenIdMetadata } from './openid-metadata.ts';
import { signToken } from './sign-token.ts';

const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const TOKEN = {
  namespace: 'ns',
  serviceAccount: { name: 'a', uid: 'u' },
  boundTo: undefined,
  audiences: ['x', 'y'],
  nowMs: Date.UTC(2026, 0, 1),
  expirationSeconds: 600,
};

describe('Keys of ServiceAccounts', () => {
  it.each([
    ['P-256', 'ES256'],
    ['P-384', 'ES384'],
    ['P-521', 'ES512'],
  ])('may be on the curve %s', async (name, algorithm) => {
    const { privateKey } = curve(name);
    const { signing, verification } = parseServiceAccountKeys(privatePem(privateKey));
    expect([signing.algorithm, verification.length]).toEqual([algorithm, 1]);
    const metadata = createOpenIdMetadata({ issuer: 'https://i.example', jwksUri: 'https://i.example/keys', keys: verification });
    const jwks = JSON.parse(String(metadata?.keys)) as JSONWebKeySet;
    const token = await signToken({ issuer: 'https://i.example', key: signing, newUid: () => 'j' }, TOKEN);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      currentDate: new Date(TOKEN.nowMs),
      audience: 'y',
    });
    expect(protectedHeader).toEqual({ alg: algorithm, kid: signing.id });
    expect(payload).toEqual({
      aud: ['x', 'y'],
      exp: 1_767_226_200,
      iat: 1_767_225_600,
      iss: 'https://i.example',
      jti: 'j',
      'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'a', uid: 'u' } },
      nbf: 1_767_225_600,
      sub: 'system:serviceaccount:ns:a',
    });
  });

  it('that verify may be public, private, or several in a file, and count once', async () => {
    const own = await generateSigningKey();
    const [one, two] = [curve('P-256'), curve('P-256')];
    const file = publicPem(one.publicKey) + privatePem(two.privateKey);
    const { verification } = parseServiceAccountKeys(own, [file, publicPem(two.publicKey), own]);
    expect(verification.map(({ algorithm, key }) => [algorithm, key.type])).toEqual([
      ['RS256', 'public'],
      ['ES256', 'public'],
      ['ES256', 'public'],
    ]);
    expect(verification.every(({ id }) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('that cannot be used are refused', () => {
    const { publicKey, privateKey } = curve('P-256');
    const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
    for (const text of ['', 'x', publicPem(publicKey), locked]) {
      expect(() => parseServiceAccountKeys(text)).toThrow('contains no valid PEM private key without passphrase');
    }
    expect(() => parseVerificationKeys('')).toThrow('contains no key in PEM');
    expect(() => parseVerificationKeys('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----')).toThrow('no valid key');
    expect(() => parseVerificationKeys(publicPem(generateKeyPairSync('ed25519').publicKey))).toThrow('neither RSA nor EC');
    expect(() => parseVerificationKeys(publicPem(curve('secp256k1').publicKey))).toThrow('neither RSA nor EC');
  });

  it('are published only for an issuer that is an https URL, and never as private keys', () => {
    const { verification: keys } = parseServiceAccountKeys(privatePem(curve('P-256').privateKey));
    const publish = (issuer: string) => createOpenIdMetadata({ issuer, jwksUri: 'https://a/keys', keys });
    for (const issuer of ['coxswain', 'http://a', 'https://a?b=c', 'https://a#b']) expect(publish(issuer)).toBeUndefined();
    const metadata = publish('https://a');
    expect(JSON.parse(String(metadata?.configuration))).toEqual({
      issuer: 'https://a',
      jwks_uri: 'https://a/keys',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    expect(Object.keys((JSON.parse(String(metadata?.keys)) as JSONWebKeySet).keys[0] ?? {})).toEqual([
      'use',
      'kty',
      'kid',
      'crv',
      'alg',
      'x',
      'y',
    ]);
  });
});
