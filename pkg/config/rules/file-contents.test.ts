import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../load-config.ts';
import { checkFileContents } from './file-contents.ts';

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
const pem = { type: 'pkcs8', format: 'pem' } as const;
const ecKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: pem,
});
const edKey = generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: pem });

const FILES: Readonly<Record<string, string>> = {
  '/ec.key': ecKey.privateKey,
  '/ed.key': edKey.privateKey,
  '/public.key': ecKey.publicKey,
  '/broken.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  '/empty': '',
};

async function found(text: string): Promise<string[]> {
  const loaded = parseConfig(HEAD + text);
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  const read = async (path: string) => {
    const content = FILES[path];
    if (content === undefined) throw new Error('no such file');
    return content;
  };
  const findings = await Promise.all(loaded.documents.map((document) => checkFileContents(document, read)));
  return findings.flat().map(({ path, message }) => `${path}: ${message}`);
}

describe('files that a document names', () => {
  it.each([
    ['SAController: {ServiceAccountKeyFile: /missing}', 'SAController.ServiceAccountKeyFile: "/missing" cannot be read: no such file'],
    [
      'SAController: {ServiceAccountKeyFile: /ed.key}',
      'SAController.ServiceAccountKeyFile: "/ed.key" holds a key of type ed25519, not RSA or ECDSA',
    ],
    [
      'SAController: {ServiceAccountKeyFile: /public.key}',
      'SAController.ServiceAccountKeyFile: "/public.key" holds no PEM private key without a password',
    ],
    ['SAController: {RootCAFile: /empty}', 'SAController.RootCAFile: "/empty" holds no PEM certificate'],
    ['SAController: {RootCAFile: /broken.crt}', 'SAController.RootCAFile: "/broken.crt" holds a certificate that cannot be read, number 1'],
  ])('%s', async (text, finding) => expect(await found(text)).toEqual([finding]));

  it('are fine when they hold what is asked for', async () => {
    expect(await found('SAController: {ServiceAccountKeyFile: /ec.key}')).toEqual([]);
  });

  it('are those of certificates and keys only', async () => {
    expect(await found('Generic: {ClientConnection: {clusterconfig: /missing}}')).toEqual([]);
  });
});
