/** kubectl's own commands for ConfigMaps, Secrets and ServiceAccounts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { describeKubectl } from './describe-kubectl.ts';

const NAMESPACE = 'kubectl-settings';

describeKubectl('kubectl', (suite) => {
  const told = (...args: readonly string[]) => suite.kubectl.told([...args, '--namespace', NAMESPACE]);
  const field = (path: string, ...what: readonly string[]) => told('get', ...what, '-o', `jsonpath={${path}}`);
  let folder: TemporaryDirectory;
  const file = (name: string) => join(folder.path, name);
  beforeAll(async () => {
    folder = await temporaryDirectory();
    await writeFile(file('motd'), 'ready\n');
    await writeFile(file('logo.png'), Buffer.from([0x89, 0x50, 0xff, 0x00]));
  });
  afterAll(() => folder.remove());

  describe('ConfigMaps', () => {
    it('are created of texts and files, and shown', async () => {
      const created = await told(
        'create',
        'configmap',
        'c',
        '--from-literal=a=1',
        `--from-file=${file('motd')}`,
        `--from-file=${file('logo.png')}`,
      );
      expect(created).toBe('configmap/c created\n');
      expect(await field('.data', 'cm', 'c')).toBe('{"a":"1","motd":"ready\\n"}');
      expect(await field('.binaryData', 'cm', 'c')).toBe('{"logo.png":"iVD/AA=="}');
      expect((await told('get', 'cm', 'c', '--no-headers')).split(/\s+/).slice(0, 2)).toEqual(['c', '3']);
      expect(await told('describe', 'cm', 'c')).toMatch(/^Name: +c\n[\s\S]*motd:\n-+\nready\n[\s\S]*logo\.png: 4 bytes/m);
    });

    it('are applied, changed and pruned of keys', async () => {
      const manifest = (data: object) => JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'applied' }, data });
      const apply = (data: object) => suite.kubectl.told(['apply', '-f', '-', '--namespace', NAMESPACE], manifest(data));
      expect(await apply({ a: '1', b: '2' })).toBe('configmap/applied created\n');
      expect(await apply({ a: '1', b: '2' })).toBe('configmap/applied unchanged\n');
      expect(await apply({ b: '3' })).toBe('configmap/applied configured\n');
      expect(await field('.data', 'cm', 'applied')).toBe('{"b":"3"}');
    });
  });

  describe('Secrets', () => {
    it('are created of each kind that kubectl knows', async () => {
      await told('create', 'secret', 'generic', 'g', '--from-literal=password=s3cret');
      await told('create', 'secret', 'docker-registry', 'd', '--docker-username=u', '--docker-password=p', '--docker-server=example.com');
      const types = await field('.items[*].type', 'secrets');
      expect(types.split(' ').sort()).toEqual(['Opaque', 'kubernetes.io/dockerconfigjson']);
      expect(await field('.data.password', 'secret', 'g')).toBe('czNjcmV0');
      expect(await told('describe', 'secret', 'g')).toMatch(/^Type: +Opaque[\s\S]*password: +6 bytes/m);
      expect(await told('get', 'secrets', '--field-selector', 'type=Opaque', '-o', 'name')).toBe('secret/g\n');
    });
  });

  describe('ServiceAccounts', () => {
    it('are created and shown', async () => {
      expect(await told('create', 'serviceaccount', 'reports')).toBe('serviceaccount/reports created\n');
      expect(await told('get', 'sa', '-o', 'name')).toBe('serviceaccount/reports\n');
      expect(await told('describe', 'sa', 'reports')).toMatch(/^Name: +reports\n/);
    });
  });
});
