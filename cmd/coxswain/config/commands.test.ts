import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD as CLUSTER, openConfigFiles } from '../../../test/support/config-files.ts';
import { UsageError } from '../flag.ts';
import { helpText } from '../help.ts';
import { config } from './config.ts';

const KIND = 'ClusterControllerManagerConfiguration';
const example = path.resolve(import.meta.dirname, '../../../examples/config/cluster-controller-manager.yaml');

const run = (args: readonly string[], stdin = '') => config(args, Readable.from([Buffer.from(stdin)]));

const { fileOf, pathOf } = openConfigFiles();

describe('config', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['view']],
    [['view', 'a', 'b']],
    [['diff', 'a']],
    [['defaults', 'Nothing']],
    [['explain', `${KIND}.Nothing`]],
    [['convert', '--to', 'new', '-']],
    [['enabled', '-o', 'yaml', '-']],
  ])('is called wrongly with %j', async (args) => {
    await expect(run(args)).rejects.toBeInstanceOf(UsageError);
  });

  it.each(['view', 'flags', 'enabled'])('%s shows the problems of a file that has errors', async (command) => {
    const { text, errorText, exitCode } = await run([command, '-'], `${CLUSTER}Generic: 5\n`);
    expect({ text, exitCode }).toEqual({ text: '', exitCode: 1 });
    expect(errorText).toContain('-:3:10: error: Generic: must be an object, not 5\n  3 | Generic: 5\n');
    expect((await run([command, pathOf('missing')])).exitCode).toBe(2);
  });

  it('has help for itself and for each command', () => {
    expect(helpText('config')).toContain('coxswain config check [flags] FILE…');
    expect(helpText('config', 'check', 'x')).toMatch(/^coxswain config check \[flags\] FILE…: .*\n[^]*\n {2}--strict BOOL\n/);
  });
});

describe('config defaults', () => {
  it('prints everything, for the suffix that is asked for', async () => {
    const { text } = await run(['defaults', '--group-suffix', 'example.org', 'KubeControllerManagerConfiguration']);
    expect(text).toMatch(/^apiVersion: clustercontrollermanager\.config\.example\.org\/v1alpha1\nkind: Cluster.*\nGeneric:\n {2}Port: 0\n/);
    expect(text.split('\n').length).toBeGreaterThan(150);
    expect(await run(['check', '--strict', '-'], text)).toEqual({ text: '-: valid\n', exitCode: 0 });
  });

  it('prints JSON as well', async () => {
    expect(JSON.parse((await run(['defaults', '-o', 'json', KIND])).text)).toMatchObject({
      kind: KIND,
      JobController: { ConcurrentJobSyncs: 5 },
    });
  });
});

describe('config view', () => {
  it('prints what is not the default, under current names and in canonical spelling', async () => {
    const text =
      'apiVersion: kubecontrollermanager.config.k8s.io/v1alpha1\nkind: KubeControllerManagerConfiguration\nGeneric:\n  MinResyncPeriod: 90m\n  ClientConnection: {qps: 20, kubeconfig: "yes"}\n';
    expect((await run(['view', '--only-changed', '-'], text)).text).toBe(
      `${CLUSTER}Generic:\n  MinResyncPeriod: 1h30m0s\n  ClientConnection:\n    clusterconfig: 'yes'\n`,
    );
  });

  it('prints every document', async () => {
    const migration =
      'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';
    expect((await run(['view', '-'], `${CLUSTER}---\n${migration}`)).text).toContain(`\n---\n${migration}controllerLeaders: []\n`);
  });
});

describe('config diff', () => {
  it('says what changes, and ends with 1', async () => {
    const [a, b] = await Promise.all([fileOf('a.yaml', `${CLUSTER}JobController: {ConcurrentJobSyncs: 6}\n`), fileOf('b.yaml', CLUSTER)]);
    expect(await run(['diff', a, b])).toEqual({ text: `${KIND}.JobController.ConcurrentJobSyncs: 6 → 5\n`, exitCode: 1 });
    expect(JSON.parse((await run(['diff', '-o', 'json', a, b])).text)).toEqual([
      { kind: KIND, path: 'JobController.ConcurrentJobSyncs', before: 6, after: 5 },
    ]);
  });

  it('ends with 0 where only the words differ', async () => {
    const { text: old } = await run(['convert', '--to', 'old', example]);
    expect(await run(['diff', example, '-'], old)).toEqual({ text: '', exitCode: 0 });
  });
});

describe('config convert', () => {
  it('comes back to the same bytes', async () => {
    const { text: old } = await run(['convert', '--to=old', example]);
    expect(old).toContain('kind: KubeControllerManagerConfiguration');
    expect((await run(['convert', '-'], old)).text).toBe(await readFile(example, 'utf8'));
  });

  it('prints nothing of a file that cannot be read', async () => {
    expect(await run(['convert', '-'], 'kind: [')).toMatchObject({ text: '', exitCode: 1, errorText: expect.stringContaining('error') });
    expect(await run(['convert', pathOf('missing')])).toMatchObject({ text: '', exitCode: 2 });
  });
});

describe('config explain', () => {
  it('says what a field is', async () => {
    expect((await run(['explain', `${KIND}.Generic.LeaderElection.resourceName`])).text).toBe(
      `${KIND}.Generic.LeaderElection.resourceName

  Name of the lock.

  type        string
  default     "kube-controller-manager"
  stated in   cloud-provider library: options/options.go; kube-controller-manager flag reference, 1.35
  flag        --leader-elect-resource-name

  Set by each component's options, not by the configuration defaults.
`,
    );
  });

  it('lists the fields of an object, by either name', async () => {
    const { text } = await run(['explain', 'KubeControllerManagerConfiguration.KubeCloudShared']);
    expect(text).toContain(`${KIND}.ClusterCloudShared\n`);
    expect(text).toMatch(/\nFields:\n {2}CloudProvider +CloudProviderConfiguration\n/);
  });
});

describe('config flags', () => {
  it('prints flags as a shell takes them, and names what has none', async () => {
    expect(
      await run(
        ['flags', '-'],
        `${CLUSTER}Generic: {Controllers: ["*", -ttl], ClientConnection: {acceptContentTypes: application/json}}\n`,
      ),
    ).toEqual({
      text: "'--controllers=*,-ttl'\n",
      errorText: '-: kube-controller-manager has no flag for Generic.ClientConnection.acceptContentTypes\n',
      exitCode: 0,
    });
  });
});

describe('config enabled', () => {
  it('says what runs, and why', async () => {
    const { text } = await run(['enabled', '-'], `${CLUSTER}Generic: {Controllers: ["*", -ttl]}\n`);
    expect(text).toMatch(/\nttl-controller +off {3}Generic\.Controllers\[1\] is -ttl\n/);
    expect(text).toMatch(/\njob-controller +runs {2}on by default\n/);
    expect(JSON.parse((await run(['enabled', '-o', 'json', '-'], CLUSTER)).text)).toContainEqual({
      name: 'job-controller',
      runs: true,
      why: 'on by default',
    });
  });

  it('is about a component', async () => {
    const migration =
      'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';
    expect(await run(['enabled', '-'], migration)).toEqual({ text: '', errorText: '-: configures no controller manager\n', exitCode: 1 });
  });
});
