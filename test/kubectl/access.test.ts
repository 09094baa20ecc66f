/** kubectl with every kind of credentials, as other users, and its commands about access. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueCertificate } from '../../pkg/certificates/issue.ts';
import { KUBECTL_MINOR } from '../support/kubectl.ts';
import { runCoxswain, temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { waitFor } from '../support/wait.ts';
import { describeKubectl } from './describe-kubectl.ts';

const NAMESPACE = 'kubectl-access';
/** Older versions of kubectl have no `create token`, and know no exec plugins of v1. */
const itSince = (minor: number) => (KUBECTL_MINOR >= minor ? it : it.skip);

describeKubectl('kubectl', (suite) => {
  const told = (...args: readonly string[]) => suite.kubectl.told([...args, '--namespace', NAMESPACE]);
  let folder: TemporaryDirectory;
  const file = (name: string) => join(folder.path, name);
  beforeAll(async () => {
    folder = await temporaryDirectory();
    await told('create', 'configmap', 'seen');
    await told('create', 'serviceaccount', 'robot');
    await told('create', 'role', 'readers', '--verb=get,list,watch', '--resource=configmaps');
    await told('create', 'rolebinding', 'readers', '--role=readers', '--group=lookers', `--serviceaccount=${NAMESPACE}:robot`);
    await waitFor(async () => (await told('auth', 'can-i', 'get', 'configmaps', ...AS_LOOKER).catch(() => 'no')) === 'yes\n', {
      what: 'the binding to count',
    });
  });
  afterAll(() => folder.remove());
  const AS_LOOKER = ['--as', 'lotte', '--as-group', 'lookers'];

  /** A kubeconfig for these credentials alone. */
  const kubeconfig = async (name: string, user: object): Promise<string> => {
    const { url, ca } = suite.server;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: NAMESPACE } }],
      'current-context': 'x',
    };
    await writeFile(file(name), JSON.stringify(config));
    return file(name);
  };
  const withConfig = (config: string, ...args: readonly string[]) => suite.kubectl.run([...args, '--kubeconfig', config]);
  const expectReader = async (config: string, user: string) => {
    expect(await withConfig(config, 'get', 'configmap', 'seen', '-o', 'name')).toMatchObject({ code: 0, stdout: 'configmap/seen\n' });
    const refused = await withConfig(config, 'get', 'secrets');
    expect(refused.stderr).toContain(`User "${user}" cannot list resource "secrets" in API group "" in the namespace "${NAMESPACE}"`);
  };
  const lookerCertificate = async () => {
    const authority = { cert: suite.server.ca, key: await readFile(join(suite.server.dataDir, 'pki', 'ca.key'), 'utf8') };
    return issueCertificate(authority, { commonName: 'lotte', organizations: ['lookers'], usage: 'client', now: Date.now() });
  };

  describe('credentials', () => {
    itSince(24)('may be a token of create token', async () => {
      const token = (await told('create', 'token', 'robot')).trim();
      await expectReader(await kubeconfig('token.json', { token }), `system:serviceaccount:${NAMESPACE}:robot`);
    });

    it('may be a certificate', async () => {
      const { cert, key } = await lookerCertificate();
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      const config = await kubeconfig('certificate.json', { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) });
      await expectReader(config, 'lotte');
    });

    it('may be what coxswain kubeconfig writes', async () => {
      await expectReader(await coxswainKubeconfig(), 'lotte');
    });

    const exec = async (name: string, status: object): Promise<string> => {
      const apiVersion = `client.authentication.k8s.io/${KUBECTL_MINOR >= 22 ? 'v1' : 'v1beta1'}`;
      const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
      await writeFile(file(name), `#!/bin/sh\necho ran >>${file(`${name}.log`)}\ncat <<'END'\n${credential}\nEND\n`);
      await chmod(file(name), 0o755);
      return kubeconfig(`${name}.json`, { exec: { apiVersion, command: file(name), interactiveMode: 'Never' } });
    };

    itSince(24)('may come of an exec plugin: a token', async () => {
      const token = (await told('create', 'token', 'robot')).trim();
      await expectReader(await exec('token-plugin', { token }), `system:serviceaccount:${NAMESPACE}:robot`);
      expect(await readFile(file('token-plugin.log'), 'utf8')).toContain('ran');
    });

    it('may come of an exec plugin: a certificate', async () => {
      const { cert, key } = await lookerCertificate();
      await expectReader(await exec('certificate-plugin', { clientCertificateData: cert, clientKeyData: key }), 'lotte');
    });

    it('that are wrong make kubectl ask its plugin again, and then give up', async () => {
      const { code, stderr } = await withConfig(await exec('wrong-plugin', { token: 'nobody' }), 'get', 'configmaps');
      expect(code).toBe(1);
      expect(stderr).toMatch(/Unauthorized|must be logged in/);
      expect((await readFile(file('wrong-plugin.log'), 'utf8')).split('\n').length).toBeGreaterThan(2);
    });
  });

  const coxswainKubeconfig = async (): Promise<string> => {
    const { code, stderr } = await runCoxswain(
      ['kubeconfig', '--data-dir', suite.server.dataDir, '--user', 'lotte', '--group', 'lookers'].concat([
        '--namespace',
        NAMESPACE,
        '--server',
        suite.server.url,
        '--output',
        file('coxswain.yaml'),
      ]),
    );
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return file('coxswain.yaml');
  };

  describe('as another user', () => {
    it('has the rights of that user, and of its groups', async () => {
      expect(await told('get', 'configmap', 'seen', '-o', 'name', ...AS_LOOKER)).toBe('configmap/seen\n');
      const refused = await suite.kubectl.run(['get', 'configmap', 'seen', '--namespace', NAMESPACE, '--as', 'lotte']);
      expect(refused.stderr).toContain('User "lotte" cannot get resource "configmaps"');
    });

    it('is refused to those who may not be another', async () => {
      const { stderr } = await withConfig(await coxswainKubeconfig(), 'get', 'configmaps', '--as', 'admin');
      expect(stderr).toContain('User "lotte" cannot impersonate');
    });
  });

  describe('auth', () => {
    it('can-i answers by roles', async () => {
      const canI = async (...args: readonly string[]) =>
        (await suite.kubectl.run(['auth', 'can-i', ...args, '--namespace', NAMESPACE, ...AS_LOOKER])).stdout.trim();
      expect([await canI('list', 'configmaps'), await canI('delete', 'configmaps'), await canI('get', 'secrets')]).toEqual([
        'yes',
        'no',
        'no',
      ]);
      expect([await canI('get', 'configmaps/seen'), await canI('get', '/metrics')]).toEqual(['yes', 'no']);
    });

    it('can-i --list --as lists the rules of that user', async () => {
      const rules = (await told('auth', 'can-i', '--list', ...AS_LOOKER)).split('\n').map((line) => line.trim().split(/ {2,}/));
      expect(rules).toContainEqual(['configmaps', '[]', '[]', '[get list watch]']);
      expect(rules).not.toContainEqual(expect.arrayContaining(['*.*']));
    });

    it('reconcile makes, extends and, when told, narrows roles', async () => {
      const manifest = (verbs: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: writers, namespace: ${NAMESPACE}}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [${verbs}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: writers, namespace: ${NAMESPACE}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: writers}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: wim}]
`;
      const reconcile = async (verbs: string, ...flags: readonly string[]) => {
        const { stdout, code } = await suite.kubectl.run(['auth', 'reconcile', '-f', '-', ...flags], { input: manifest(verbs) });
        expect(code).toBe(0);
        return stdout;
      };
      const verbs = () => told('get', 'role', 'writers', '-o', 'jsonpath={.rules[*].verbs}');
      expect(await reconcile('create')).toBe(
        'role.rbac.authorization.k8s.io/writers reconciled\nrolebinding.rbac.authorization.k8s.io/writers reconciled\n',
      );
      expect(await told('auth', 'can-i', 'create', 'configmaps', '--as', 'wim')).toBe('yes\n');
      await reconcile('update');
      expect(await verbs()).toBe('["create"] ["update"]');
      await reconcile('update', '--dry-run=client', '--remove-extra-permissions');
      expect(await verbs()).toBe('["create"] ["update"]');
      await reconcile('update', '--remove-extra-permissions');
      expect(await verbs()).toBe('["update"]');
      await told('delete', 'rolebinding', 'writers');
      await told('create', 'rolebinding', 'writers', '--role=readers', '--user=other');
      expect(await reconcile('update')).toContain('rolebinding.rbac.authorization.k8s.io/writers reconciled');
      expect(await told('get', 'rolebinding', 'writers', '-o', 'jsonpath={.roleRef.name} {.subjects[*].name}')).toBe('writers wim');
    });
  });
});
