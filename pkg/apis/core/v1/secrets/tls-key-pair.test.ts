import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, type CertifiedKey } from '../../../../certificates/issue.ts';
import { keyPairProblem } from './tls-key-pair.ts';

const pem = (type: string, base64: string) => `-----BEGIN ${type}-----\n${base64}\n-----END ${type}-----\n`;
const certificate = (base64: string) => pem('CERTIFICATE', base64);

// Self-signed, made with OpenSSL.
const SECP256K1 =
  'MIIBazCCARKgAwIBAgIUSqqOx/3uMzFDyWOjj3DLzuwG17QwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjUwMzEzNDdaGA8yMTI2MTEwMTAzMTM0N1owDDEKMAgGA1UEAwwBYTBWMBAGByqGSM49AgEGBSuBBAAKA0IABDGmJJimdWPijVzmoQ2aN+4S7FkoQ830tuVWA7upi6RBgygpf3oBVxfDL5VamTemRj8kfEDJNAzZ2fLhJdiKcaajUzBRMB0GA1UdDgQWBBQIqjQIrMjXxdxMf9Huoo3sQSZ6NjAfBgNVHSMEGDAWgBQIqjQIrMjXxdxMf9Huoo3sQSZ6NjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIA9+PFwpvcgMI6u5VvdntkBj4G+O9DFEkQlns1UOYoIYAiBDvwQDfqh54RTwfqR9/PsZQg346WKKgDpWVPnMQF83hA==';
const ED448 =
  'MIIBeTCB+qADAgECAhRZuj2NCK+9J05fSsl4ATOK1nfrRzAFBgMrZXEwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjUwMzEzNDdaGA8yMTI2MTEwMTAzMTM0N1owDDEKMAgGA1UEAwwBYTBDMAUGAytlcQM6AE+ZLlxas59fH98P1PnlBhVk2D3ilBvpwOGXR0nabQtKbJKV29oLD6lNAotv/YPAArs2d9mpue7eAKNTMFEwHQYDVR0OBBYEFL37WwC7ZkldbdsOwd8iqJbK+dalMB8GA1UdIwQYMBaAFL37WwC7ZkldbdsOwd8iqJbK+dalMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VxA3MAk6iq1Jus1tvM0lU+N/opTuOcCT1P45Fh+XcMgU6gsy5pruSGUWYU1hZkvLI+I5ANtfQohG1fpiYAW/fmH3AaCA0CENKI8jWn6siM9v+I90CFYiha9sIsceIKLycYQO11wZuNoH5V/RsAZE4lquOqyDwA';
const NEGATIVE_SERIAL =
  'MIIBXDCCAQKgAwIBAgIB+zAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAFhMCAXDTI2MTEyNTAzMTM0N1oYDzIxMjYxMTAxMDMxMzQ3WjAMMQowCAYDVQQDDAFhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEroX7x9VRbcAiN4FQwU0a0//zZSY6c83IbEBYjTh6hfyVjz3Fn1FJwMUUbYPQZOknSnf1WkpRVlHZuc6os3zVSKNTMFEwHQYDVR0OBBYEFB9In0ReIaxwE/iXyLlP330dWb1nMB8GA1UdIwQYMBaAFB9In0ReIaxwE/iXyLlP330dWb1nMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgQfB/FGlKMNMnha8tIR4e25lZQTxFvbk6An/3LpKixvICIQCw4OOuVHlpz30IhhLFyV+/052sOG9qFP+g/prPaP5e6w==';
const ED25519 =
  'MIIBLjCB4aADAgECAhQ9fNZ0Mu5j8gTy3CQSKGqCyuozVTAFBgMrZXAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjUwMzEzNDdaGA8yMTI2MTEwMTAzMTM0N1owDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAKA9YU2lnkKjYz05FVzjKWB/FgJkM+IuuQXmCwaDQDiYo1MwUTAdBgNVHQ4EFgQU51aRs1k/fxOFLCMSg4MMS8xqKk0wHwYDVR0jBBgwFoAU51aRs1k/fxOFLCMSg4MMS8xqKk0wDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQBpHiGYOW04YTDZGUwbKHb97ilXT2B4aLSdPSa+dJtvoiJcZLrwXCX+fD5tQ3ig7mYVuKNW6rsz9U6XaKiKkOAJ';

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const newKey = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  ec: (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey,
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
  ed448: () => generateKeyPairSync('ed448').privateKey,
  x25519: () => generateKeyPairSync('x25519').privateKey,
};
const derOf = (text: string): Buffer => Buffer.from(text.replaceAll(/-----.*-----/g, ''), 'base64');

const NO_MATCH = 'tls: private key does not match public key';
const OTHER_TYPE = 'tls: private key type does not match public key type';
const UNPARSED = 'tls: failed to parse private key';

// The words are those of Go 1.26.
describe('A key pair for TLS', () => {
  let own: CertifiedKey;
  beforeAll(async () => {
    own = await createAuthority({ commonName: 'a', now: Date.now() });
  });
  const problem = (cert: string, key: string) => keyPairProblem(Buffer.from(cert), Buffer.from(key));

  it('has no problem where the two belong together, in any form and after any text', () => {
    expect(problem(own.cert, own.key)).toBeUndefined();
    expect(problem(own.cert, pkcs8(createPrivateKey(own.key)))).toBeUndefined();
    expect(problem(`from: a\n${own.cert}${certificate('YWJj')}`, `${pem('EC PARAMETERS', 'YWJj')}${own.key}`)).toBeUndefined();
  });

  it('needs a certificate', () => {
    expect(problem('', own.key)).toBe('tls: failed to find any PEM data in certificate input');
    expect(problem(own.key, own.cert)).toBe(
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    );
    expect(problem(pem('A', '') + pem('B C', ''), own.key)).toBe(
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B C]',
    );
  });

  it('needs a key', () => {
    expect(problem(own.cert, 'x')).toBe('tls: failed to find any PEM data in key input');
    expect(problem(own.cert, own.cert)).toBe('tls: found a certificate rather than a key in the PEM for the private key');
    expect(problem(own.cert, own.cert + pem('PUBLIC KEY', ''))).toBe(
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [CERTIFICATE PUBLIC KEY]',
    );
  });

  it.each<[string, () => string, string]>([
    ['bytes that are no certificate', () => certificate('YWJj'), 'x509: malformed certificate'],
    ['nothing', () => certificate(''), 'x509: malformed certificate'],
    ['a part of one', () => certificate(derOf(own.cert).subarray(0, -1).toString('base64')), 'x509: malformed certificate'],
    ['more than one', () => certificate(Buffer.concat([derOf(own.cert), Buffer.from('a')]).toString('base64')), 'x509: trailing data'],
    ['a negative serial number', () => certificate(NEGATIVE_SERIAL), 'x509: negative serial number'],
    ['a curve that Go does not know', () => certificate(SECP256K1), 'x509: unsupported elliptic curve'],
    ['an algorithm that Go does not know', () => certificate(ED448), 'tls: unknown public key algorithm'],
  ])('does not take as a certificate: %s', (_, cert, error) => {
    expect(problem(cert(), own.key)).toBe(error);
  });

  it.each<[string, () => string, string]>([
    ['another of its kind', () => pkcs8(newKey.ec('P-256')), NO_MATCH],
    ['one of another curve', () => pkcs8(newKey.ec('P-384')), NO_MATCH],
    ['an RSA key', () => pkcs8(newKey.rsa()), OTHER_TYPE],
    ['an RSA key in its older form', () => newKey.rsa().export({ type: 'pkcs1', format: 'pem' }).toString(), OTHER_TYPE],
    ['an Ed25519 key', () => pkcs8(newKey.ed25519()), OTHER_TYPE],
    ['a key that cannot sign', () => pkcs8(newKey.x25519()), 'tls: found unknown private key type in PKCS#8 wrapping'],
    ['an algorithm that Go does not know', () => pkcs8(newKey.ed448()), UNPARSED],
    ['a curve that Go does not know', () => pkcs8(newKey.ec('secp256k1')), UNPARSED],
    ['bytes that are no key', () => pem('PRIVATE KEY', 'YWJj'), UNPARSED],
    ['a key behind a password', () => encrypted(newKey.ec('P-256')), UNPARSED],
  ])('does not take as a key: %s', (_, key, error) => {
    expect(problem(own.cert, key())).toBe(error);
  });

  const encrypted = (key: KeyObject): string =>
    key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }).toString();

  it('may be of Ed25519', () => {
    expect(problem(certificate(ED25519), pkcs8(newKey.ed25519()))).toBe(NO_MATCH);
    expect(problem(certificate(ED25519), own.key)).toBe(OTHER_TYPE);
  });
});
