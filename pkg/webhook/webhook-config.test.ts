import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDirectory } from '../../test/support/server.ts';
import { readWebhookConfig } from './webhook-config.ts';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly more?: object;
}

describe('The configuration of a webhook', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    await writeFile(path.join(directory.path, 'ca.crt'), 'the CA');
    await writeFile(path.join(directory.path, 'token'), 'secret\n');
  });
  afterAll(() => directory.remove());

  const file = () => path.join(directory.path, 'webhook.yaml');
  const read = async ({ cluster = {}, user = {}, more = {} }: Parts = {}) => {
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://audit.example:8443/events', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
      preferences: {},
      ...more,
    };
    await writeFile(file(), JSON.stringify(config));
    return readWebhookConfig(file());
  };

  it('has the address of the current context, and verifies it', async () => {
    expect(await read()).toEqual({ url: new URL('https://audit.example:8443/events'), verify: true });
  });

  it.each<[string, Parts, object]>([
    ['certificates as data', { cluster: { 'certificate-authority-data': Buffer.from('pem').toString('base64') } }, { ca: 'pem' }],
    [
      'files beside it',
      { cluster: { 'certificate-authority': 'ca.crt' }, user: { tokenFile: 'token' } },
      { ca: 'the CA', authorization: 'Bearer secret' },
    ],
    ['another server name', { cluster: { 'tls-server-name': 'other' } }, { serverName: 'other' }],
    ['no verification', { cluster: { 'insecure-skip-tls-verify': true } }, { verify: false }],
    ['a token', { user: { token: 't' } }, { authorization: 'Bearer t' }],
    ['a password', { user: { username: 'a', password: 'b' } }, { authorization: 'Basic YTpi' }],
    [
      'a client certificate',
      { user: { 'client-certificate-data': Buffer.from('c').toString('base64'), 'client-key-data': Buffer.from('k').toString('base64') } },
      { cert: 'c', key: 'k' },
    ],
  ])('may have %s', async (_, parts, expected) => {
    expect(await read(parts)).toMatchObject(expected);
  });

  it.each<[Parts, string]>([
    [{ more: { 'current-context': '' } }, 'current-context is missing'],
    [{ more: { 'current-context': 'y' } }, 'contexts has no "y"'],
    [{ more: { clusters: [] } }, 'clusters has no "c"'],
    [{ cluster: { server: 'ftp://x' } }, 'server must be an http or https URL, not "ftp://x"'],
    [{ cluster: { 'certificate-authority': 'missing.crt' } }, 'certificate-authority: ENOENT'],
  ])('is refused with what is wrong: %j', async (parts, message) => {
    await expect(read(parts)).rejects.toThrow(`${file()}: ${message}`);
  });

  it('is refused when it is no file', async () => {
    await expect(readWebhookConfig(path.join(directory.path, 'none'))).rejects.toThrow(
      'none: the file cannot be read: there is no such file',
    );
  });
});
