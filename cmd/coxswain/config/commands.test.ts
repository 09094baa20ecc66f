import { chmod, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD as CLUSTER, MIGRATION, openConfigFiles, streamsOf } from '../../../test/support/config-files.ts';
import { UsageError } from '../flag.ts';
import { helpIn } from '../help.ts';
import { config } from './config.ts';

const KIND = 'ClusterControllerManagerConfiguration';
const example = path.resolve(import.meta.dirname, '../../../examples/config/cluster-controller-manager.yaml');

const run = (args: readonly string[], stdin = '') => config(args, streamsOf(stdin));

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

  it.each([
    [['chekc'], 'there is no command "config chekc"; did you mean check?'],
    [['check', '--strct', '-'], 'there is no flag --strct; did you mean --strict?'],
    [['view', '--outptu', 'json', '-'], 'there is no flag --outptu; did you mean --output?'],
    [['view', 'a', 'b'], 'config view takes one FILE, not "b" as well; see coxswain help config view'],
    [['defaults', 'ClusterControllerManagerConfig'], 'known are'],
    [['convert', 'a', 'b'], 'config convert takes one FILE without --write'],
    [['convert', '--write'], 'config convert takes at least one FILE'],
    [['convert', '--write', '-'], 'config convert cannot rewrite standard input'],
    [['diff', '-', '-'], 'standard input can be one of the files only'],
    [[], 'config needs a command:\ncoxswain config:\n  coxswain config check'],
  ])('says of %j what was probably meant', async (args, hint) => {
    await expect(run(args)).rejects.toThrow(hint);
  });

  it('has help that fits into a narrow terminal', () => {
    const text = helpIn(60, ['config']) + helpIn(60, ['config', 'check']) + helpIn(60, []);
    expect(text).toContain('  coxswain config diff [flags] A B\n      compare two configurations with all defaults\n');
    expect(text.split('\n').filter((line) => line.length > 60 && !line.includes('config check [flags] FILE…: '))).toEqual([]);
  });

  it('has its help behind help as well', async () => {
    expect(await run(['help', 'check'])).toEqual({ text: helpIn(100, ['config', 'check']), exitCode: 0 });
  });

  it.each(['view', 'flags', 'enabled'])('%s shows the problems of a file that has errors', async (command) => {
    const { text, errorText, exitCode } = await run([command, '-'], `${CLUSTER}Generic: 5\n`);
    expect({ text, exitCode }).toEqual({ text: '', exitCode: 1 });
    expect(errorText).toContain('-:3:10: error: Generic: must be an object, not 5\n  3 | Generic: 5\n');
    expect((await run([command, pathOf('missing')])).exitCode).toBe(2);
  });

  it('has help for itself and for each command', () => {
    expect(helpIn(100, ['config'])).toContain('coxswain config check [flags] FILE…');
    expect(helpIn(100, ['config', 'check', 'x'])).toMatch(/^coxswain config check \[flags\] FILE…: .*\n[^]*\n {2}--strict\[=BOOL\]\n/);
  });
});

describe('config defaults', () => {
  it('prints everything, for the suffix that is asked for', async () => {
    const asked = ['defaults', '--group-suffix', 'example.org', 'KubeControllerManagerConfiguration'];
    const { text } = await run([...asked, '--comments=false']);
    expect(text).toMatch(/^apiVersion: clustercontrollermanager\.config\.example\.org\/v1alpha1\nkind: Cluster.*\nGeneric:\n {2}Port: 0\n/);
    expect(text.split('\n').length).toBeGreaterThan(150);
    const { text: commented } = await run(asked);
    expect(commented).toContain('\n  # How one of several replicas is chosen to work.');
    expect(commented).toContain('\n    # Default from component-base library');
    for (const each of [text, commented]) {
      expect(await run(['check', '--strict', '-'], each)).toEqual({ text: '-: valid\n', errorText: '', exitCode: 0 });
    }
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

  it('prints several documents as one array of JSON', async () => {
    const { text } = await run(['view', '-o', 'json', '--only-changed', '-'], `${CLUSTER}---\n${MIGRATION}`);
    expect(JSON.parse(text)).toMatchObject([{ kind: KIND }, { kind: 'LeaderMigrationConfiguration', leaderName: 'l' }]);
  });

  it('prints every document', async () => {
    expect((await run(['view', '-'], `${CLUSTER}---\n${MIGRATION}`)).text).toContain(`\n---\n${MIGRATION}controllerLeaders: []\n`);
  });
});

describe('config diff', () => {
  const files = async (before: string, after: string) => Promise.all([fileOf('before.yaml', before), fileOf('after.yaml', after)]);

  it('says what changes, and ends with 1', async () => {
    const [a, b] = await files(`${CLUSTER}JobController: {ConcurrentJobSyncs: 6}\n`, CLUSTER);
    expect(await run(['diff', a, b])).toEqual({ text: `~ ${KIND}.JobController.ConcurrentJobSyncs: 6 → 5\n`, exitCode: 1 });
    expect(JSON.parse((await run(['diff', '-o', 'json', a, b])).text)).toEqual([
      { kind: KIND, path: 'JobController.ConcurrentJobSyncs', before: 6, after: 5 },
    ]);
  });

  it('shows elements of lists, and the fields of a document that only one file has', async () => {
    const [a, b] = await files(
      `${CLUSTER}Generic: {Controllers: ["*", -ttl]}\n`,
      `${CLUSTER}---\n${MIGRATION}controllerLeaders: [{name: service-lb-controller, component: "*"}]\n`,
    );
    const { text } = await run(['diff', a, b]);
    expect(text).toBe(`- ${KIND}.Generic.Controllers[1]: "-ttl"
+ LeaderMigrationConfiguration
+ LeaderMigrationConfiguration.apiVersion: "controllermanager.config.k8s.io/v1alpha1"
+ LeaderMigrationConfiguration.leaderName: "l"
+ LeaderMigrationConfiguration.resourceLock: "leases"
+ LeaderMigrationConfiguration.controllerLeaders[0]: {"name":"service-lb-controller","component":"*"}
`);
    expect((await run(['diff', '--color', 'always', a, b])).text.replaceAll(/\u001b\[\d+m/g, '')).toBe(text);
    expect((await run(['diff', b, a])).text).toMatch(/\n- LeaderMigrationConfiguration\.leaderName: "l"\n/);
  });

  it('ends with 0 where only the words differ', async () => {
    const { text: old } = await run(['convert', '--to', 'old', example]);
    expect(await run(['diff', example, '-'], old)).toEqual({ text: '', exitCode: 0 });
  });

  it('ends with 2 when it cannot compare, and says all that is wrong', async () => {
    const [a, b] = await files(`${CLUSTER}Generic: 5\n`, `${CLUSTER}Generic: 6\n`);
    const { text, errorText, exitCode } = await run(['diff', a, b]);
    expect([text, exitCode]).toEqual(['', 2]);
    expect(errorText).toContain(`${a}:3:10: error`);
    expect(errorText).toContain(`${b}:3:10: error`);
    expect((await run(['diff', example, pathOf('missing')])).exitCode).toBe(2);
  });
});

describe('config convert', () => {
  const OLD = CLUSTER.replace('clusterc', 'kubec').replace('ClusterC', 'KubeC');

  it('comes back to the same bytes', async () => {
    const { text: old } = await run(['convert', '--to=old', example]);
    expect(old).toContain('kind: KubeControllerManagerConfiguration');
    expect(await run(['convert', '-'], old)).toEqual({ text: await readFile(example, 'utf8'), errorText: '', exitCode: 0 });
  });

  it('prints nothing of a file that cannot be read', async () => {
    expect(await run(['convert', '-'], 'kind: [')).toMatchObject({ text: '', exitCode: 1, errorText: expect.stringContaining('error') });
    expect(await run(['convert', pathOf('missing')])).toMatchObject({ text: '', exitCode: 2 });
  });

  it('names what it leaves, with its line, and converts the rest', async () => {
    const both = 'NodeLifecycleController: {NodeMonitorPeriod: 7s}\n';
    expect(await run(['convert', '-'], `${OLD}KubeCloudShared: {NodeMonitorPeriod: 6s}\n${both}`)).toEqual({
      text: `${CLUSTER}ClusterCloudShared: {NodeMonitorPeriod: 6s}\n${both}`,
      errorText: `-:3:19: error: ClusterCloudShared.NodeMonitorPeriod: is NodeLifecycleController.NodeMonitorPeriod now, which is also set and takes precedence; remove this one
  3 | KubeCloudShared: {NodeMonitorPeriod: 6s}
    |                   ^^^^^^^^^^^^^^^^^
-: 1 error
`,
      exitCode: 1,
    });
  });

  it('rewrites files in place, at once and with their permissions', async () => {
    const [old, current] = [await fileOf('rewritten.yaml', OLD), await fileOf('current.yaml', CLUSTER)];
    await chmod(old, 0o640);
    await symlink(old, pathOf('link.yaml'));
    const before = await stat(current);
    expect(await run(['convert', '--write', pathOf('link.yaml'), current])).toEqual({
      text: `${pathOf('link.yaml')}: rewritten\n${current}: unchanged\n`,
      errorText: '',
      exitCode: 0,
    });
    expect(await readFile(old, 'utf8')).toBe(CLUSTER);
    expect((await stat(old)).mode & 0o777).toBe(0o640);
    expect((await lstat(pathOf('link.yaml'))).isSymbolicLink()).toBe(true);
    expect((await stat(current)).ino).toBe(before.ino);
    expect((await readdir(path.dirname(old))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves a file as it is of which something cannot be converted, and goes on', async () => {
    const [bad, good] = [await fileOf('bad.yaml', `${OLD}Unknown: 5\n`), await fileOf('good.yaml', OLD)];
    const { text, errorText, exitCode } = await run(['convert', '-w', bad, pathOf('missing'), good]);
    expect([text, exitCode]).toEqual([`${good}: rewritten\n`, 2]);
    expect(errorText).toContain(`${bad}:3:1: error: Unknown`);
    expect(errorText).toContain(`${bad}: left as it is\n`);
    expect(await readFile(bad, 'utf8')).toBe(`${OLD}Unknown: 5\n`);
  });
});

describe('config explain', () => {
  it('says what a field is', async () => {
    expect((await run(['explain', `${KIND}.Generic.LeaderElection.resourceName`])).text).toBe(
      `${KIND}.Generic.LeaderElection.resourceName

  Name of the lock.

  type       string
  default    "kube-controller-manager"
  stated in  cloud-provider library: options/options.go; kube-controller-manager flag reference,
             1.36
  flag       --leader-elect-resource-name

  Set by each component's options, not by the configuration defaults.
`,
    );
  });

  it('fits what it says into the terminal', async () => {
    const { text } = await config(['explain', `${KIND}.Generic.LeaderElection.leaseDuration`], {
      ...streamsOf(''),
      stdout: { columns: 40, colors: false },
    });
    expect(text).toContain('\n             config/v1alpha1/defaults.go;\n');
  });

  it('knows the kinds that stand inside of others, and where', async () => {
    const { text } = await run(['explain', 'LeaderElectionConfiguration']);
    expect(text).toContain(
      `  found at  CloudControllerManagerConfiguration.Generic.LeaderElection\n            ${KIND}.Generic.LeaderElection\n`,
    );
    expect((await run(['explain', 'LeaderElectionConfiguration.resourceName'])).text).toContain(
      '"kube-controller-manager" in ClusterControllerManagerConfiguration',
    );
  });

  it('lists the fields of fields', async () => {
    const { text } = await run(['explain', '--recursive', KIND]);
    expect(text).toMatch(/\n {2}Generic +GenericControllerManagerConfiguration\n {4}Port +int32\n/);
    expect(text).toMatch(/\n {8}component +string\n/);
  });

  it.each([
    ['ClusterControlerManagerConfiguration', `did you mean ${KIND}?`],
    ['LeaderElectConfiguration', 'did you mean LeaderElectionConfiguration?'],
    ['Nothing.at.all', 'known are CloudControllerManagerConfiguration, '],
    [
      'KubeCloudShared.ClusterName',
      `did you mean CloudControllerManagerConfiguration.KubeCloudShared.ClusterName or ${KIND}.KubeCloudShared.ClusterName?`,
    ],
    ['node-monitor-grace-period', `did you mean ${KIND}.NodeLifecycleController.NodeMonitorGracePeriod?`],
    ['allocate-node-cidrs', `did you mean CloudControllerManagerConfiguration.ClusterCloudShared.AllocateNodeCIDRs or ${KIND}.`],
    ['LEASEDURATION', `did you mean CloudControllerManagerConfiguration.Generic.LeaderElection.leaseDuration or ${KIND}.`],
    ['generic.leaderelection', `did you mean CloudControllerManagerConfiguration.Generic.LeaderElection or ${KIND}.`],
    [`${KIND}.Generic.Controlers`, 'did you mean Controllers?'],
    [`${KIND}.KubCloudShared`, 'did you mean ClusterCloudShared?'],
    [`${KIND}.Generic.Debugging.x`, 'it has enableProfiling, enableContentionProfiling'],
    [`${KIND}.Generic.Port.x`, 'Generic.Port is not an object'],
  ])('of %s it says: %s', async (asked, hint) => {
    await expect(run(['explain', asked])).rejects.toThrow(hint);
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

describe('config flags for what stands beside a configuration', () => {
  it('are those of feature gates, and of the file of a migration', async () => {
    const text = `${CLUSTER}JobController: {ConcurrentJobSyncs: 6}\n---\n${MIGRATION}`;
    const given = ['--feature-gates', 'A=true,B=false', '--leader-migration-config', '/etc/migration.yaml'];
    expect(await run(['flags', ...given, '-'], text)).toEqual({
      text: '--concurrent-job-syncs=6\n--leader-migration-config=/etc/migration.yaml\n--feature-gates=A=true,B=false\n',
      errorText: '',
      exitCode: 0,
    });
    expect((await run(['flags', '-'], text)).errorText).toBe(
      '-: kube-controller-manager needs the LeaderMigrationConfiguration in a separate file; see --leader-migration-config\n',
    );
  });
});

describe('config flags that hold what no line can show', () => {
  it('are named instead, and the command ends with 1', async () => {
    const text = `${CLUSTER}ClusterCloudShared: {ClusterName: "a\\e[2J"}\nJobController: {ConcurrentJobSyncs: 6}\n`;
    expect(await run(['flags', '-'], text)).toEqual({
      text: '--concurrent-job-syncs=6\n',
      errorText: '-: the value of --cluster-name contains control characters: --cluster-name=a\u{fffd}[2J\n',
      exitCode: 1,
    });
    expect(JSON.parse((await run(['flags', '-o', 'json', '-'], text)).text)).toMatchObject([
      { flags: ['--cluster-name=a\u001b[2J', '--concurrent-job-syncs=6'] },
    ]);
  });
});

describe('config flags of several components', () => {
  it('are listed one after the other', async () => {
    const cloud = CLUSTER.replace('clusterc', 'cloudc').replace('ClusterC', 'CloudC');
    const files = `${CLUSTER}Generic: {MinResyncPeriod: 9h}\n---\n${cloud}Generic: {MinResyncPeriod: 8h}\n`;
    const { text } = await run(['flags', '-'], files);
    expect(text).toBe('# kube-controller-manager\n--min-resync-period=9h0m0s\n\n# cloud-controller-manager\n--min-resync-period=8h0m0s\n');
    expect(JSON.parse((await run(['flags', '-o', 'json', '-'], files)).text)).toEqual([
      { component: 'kube-controller-manager', flags: ['--min-resync-period=9h0m0s'], withoutFlag: [] },
      { component: 'cloud-controller-manager', flags: ['--min-resync-period=8h0m0s'], withoutFlag: [] },
    ]);
  });
});

describe('config enabled', () => {
  it('says what runs, and why', async () => {
    const { text } = await run(['enabled', '-'], `${CLUSTER}Generic: {Controllers: ["*", -ttl]}\n`);
    expect(text).toMatch(/\nttl-controller +off {4}Generic\.Controllers\[1\] is -ttl\n/);
    expect(text).toMatch(/\njob-controller +runs {3}on by default\n/);
    expect(JSON.parse((await run(['enabled', '-o', 'json', '-'], CLUSTER)).text)).toContainEqual({
      component: 'kube-controller-manager',
      name: 'job-controller',
      runs: true,
      why: 'on by default',
    });
  });

  it('is about each component of a file, and the migration beside them', async () => {
    const cloud = CLUSTER.replace('clusterc', 'cloudc').replace('ClusterC', 'CloudC');
    const moved = `${MIGRATION}controllerLeaders: [{name: service-lb-controller, component: kube-controller-manager}]\n`;
    const { text } = await run(['enabled', '-'], `${CLUSTER}---\n${cloud}Generic: {LeaderMigrationEnabled: true}\n---\n${moved}`);
    expect(text).toContain('\n\n# cloud-controller-manager\n');
    expect(text).toMatch(/^# kube-controller-manager\nCONTROLLER +STATE {2}WHY\n/);
    expect(text).toMatch(/\nservice-lb-controller +off +the migration leaves it to kube-controller-manager\n/);
  });

  it('takes the migration from a file of its own, before one beside the component', async () => {
    const cloud = `${CLUSTER.replace('clusterc', 'cloudc').replace('ClusterC', 'CloudC')}Generic: {LeaderMigrationEnabled: true}\n`;
    const to = (component: string) => `${MIGRATION}controllerLeaders: [{name: service-lb-controller, component: ${component}}]\n`;
    const file = await fileOf('moved.yaml', to('kube-controller-manager'));
    const { text } = await run(['enabled', '--leader-migration-config', file, '-'], `${cloud}---\n${to('cloud-controller-manager')}`);
    expect(text).toMatch(/\nservice-lb-controller +off +the migration leaves it to kube-controller-manager\n/);
    const other = await fileOf('no-migration.yaml', CLUSTER);
    expect(await run(['enabled', '--leader-migration-config', other, '-'], cloud)).toEqual({
      text: '',
      errorText: `${other}: holds no LeaderMigrationConfiguration\n`,
      exitCode: 1,
    });
    expect(await run(['enabled', '--leader-migration-config', pathOf('missing.yaml'), '-'], cloud)).toMatchObject({ exitCode: 2 });
  });

  it('goes by the feature gates that the component is given', async () => {
    const { text } = await run(['enabled', '--feature-gates', 'StorageVersionAPI=true', '-'], CLUSTER);
    expect(text).toMatch(/\nstorageversion-garbage-collector-controller +runs +on by default\n/);
  });

  it('gives each controller two lines where the terminal is narrow', async () => {
    const { text } = await config(['enabled', '--color', 'always', '-'], { ...streamsOf(CLUSTER), stdout: { columns: 60, colors: false } });
    expect(text).toContain('\u001b[32mruns\u001b[39m  job-controller\n      on by default\n');
  });

  it('is not about a migration alone', async () => {
    expect(await run(['enabled', '-'], MIGRATION)).toEqual({ text: '', errorText: '-: configures no controller manager\n', exitCode: 1 });
  });
});
