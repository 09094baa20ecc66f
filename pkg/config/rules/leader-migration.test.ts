import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../load-config.ts';
import { CLOUD_HEAD, CLUSTER_HEAD, judged, judgedCluster, MIGRATION_HEAD } from '../../../test/support/judged-config.ts';

describe('leader migration', () => {
  const migration = (text: string, head = 'leaderName: l\nresourceLock: leases\n') =>
    parseConfig(`apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\n${head}${text}`).problems.map(
      ({ severity, path, message }) => `${severity} ${path}: ${message}`,
    );

  it.each([
    ['{name: foo, component: "*"}', 'error controllerLeaders[0].name: "foo" is not a known controller'],
    [
      '{name: node-route-controler, component: "*"}',
      'error controllerLeaders[0].name: "node-route-controler" is not a known controller; did you mean node-route-controller?',
    ],
    [
      '{name: route, component: "*"}',
      'warning controllerLeaders[0].name: has no effect in current releases: the controller is node-route-controller now',
    ],
    [
      '{name: node-route-controller, component: kubelet}',
      'error controllerLeaders[0].component: must be kube-controller-manager or cloud-controller-manager or cluster-controller-manager or *, not "kubelet"',
    ],
    ['{name: node-route-controller}', 'error controllerLeaders[0].component: must be set'],
    ['{component: "*"}', 'error controllerLeaders[0].name: must be set'],
    [
      '{name: node-route-controller, component: "*"}, {name: node-route-controller, component: cloud-controller-manager}',
      'warning controllerLeaders[0].name: has no effect: controllerLeaders[1] is the last for node-route-controller and takes precedence',
    ],
  ])('controllerLeaders: [%s]', (leaders, problem) => expect(migration(`controllerLeaders: [${leaders}]`)).toEqual([problem]));

  it('requires a valid lock', () => {
    expect(migration('', '')).toEqual(['error leaderName: must be set: it names the lock', 'error resourceLock: must be set to leases']);
    expect(migration('', 'leaderName: l\nresourceLock: endpoints\n')).toEqual([
      'warning resourceLock: is allowed here, but endpoints locks are no longer supported; use leases',
    ]);
    expect(migration('', 'leaderName: l\nresourceLock: configmaps\n')).toEqual([
      'error resourceLock: must be leases or endpoints, not "configmaps"',
    ]);
  });

  it('embedded in another kind is checked like a separate document', () => {
    expect(
      judgedCluster(
        'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases, controllerLeaders: [{name: x, component: "*"}]}}',
      ),
    ).toEqual(['error Generic.LeaderMigration.controllerLeaders[0].name: "x" is not a known controller']);
  });

  it('needs leader election, and must be enabled, to have an effect', () => {
    expect(judgedCluster('Generic: {LeaderMigrationEnabled: true, LeaderElection: {leaderElect: false}}')).toEqual([
      'warning Generic.LeaderMigrationEnabled: has no effect while leaderElect is false',
    ]);
    expect(judgedCluster('Generic: {LeaderMigration: {leaderName: l, resourceLock: leases}}')).toEqual([
      'warning Generic.LeaderMigration: has no effect while LeaderMigrationEnabled is false',
    ]);
    expect(judgedCluster('Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases}}')).toEqual([]);
  });

  it('requires a name for its lock', () => {
    expect(migration('', 'leaderName: 1-20 to 1-21\nresourceLock: leases\n')).toEqual([
      'error leaderName: must be a name of lower case letters, digits, - and ., with a letter or digit at both ends, not "1-20 to 1-21"',
    ]);
  });

  it('requires another lock than that of the component', () => {
    const message = (where: string) => `must differ from the lock of the component${where}, resourceName, "kube-controller-manager"`;
    const enabled = (name: string, election = '') =>
      judgedCluster(`Generic: {LeaderMigrationEnabled: true, ${election}LeaderMigration: {leaderName: ${name}, resourceLock: leases}}`);
    expect(enabled('kube-controller-manager')).toEqual([`error Generic.LeaderMigration.leaderName: ${message('')}`]);
    expect(enabled('kube-controller-manager', 'LeaderElection: {resourceName: other}, ')).toEqual([]);
    expect(enabled('cloud-controller-manager')).toEqual([]);
    expect(
      judged(
        `${CLUSTER_HEAD}Generic: {LeaderMigrationEnabled: true}\n---\n${MIGRATION_HEAD}leaderName: kube-controller-manager\nresourceLock: leases\n`,
      ),
    ).toEqual([`error leaderName: ${message(' in document 1')}`]);
  });
});

describe('a separate migration next to a component', () => {
  const SEPARATE = `${MIGRATION_HEAD}leaderName: l\nresourceLock: leases\n`;
  const beside = (fields: string, separate = SEPARATE, head = CLUSTER_HEAD) => judged(`${head}${fields}\n---\n${separate}`);

  it('must be the only one', () => {
    expect(beside('Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: m, resourceLock: leases}}')).toEqual([
      'error : contradicts Generic.LeaderMigration in document 1; configure a migration only once',
    ]);
    expect(beside('Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases}}')).toEqual([
      'warning : repeats Generic.LeaderMigration in document 1; configure a migration only once',
    ]);
    expect(beside('Generic: {LeaderMigrationEnabled: true}')).toEqual([]);
    expect(beside('Generic: {LeaderMigrationEnabled: true}', SEPARATE, CLOUD_HEAD)).toEqual([]);
  });

  it('has an effect only if the component migrates', () => {
    expect(beside('')).toEqual(['warning : has no effect on document 1, where LeaderMigrationEnabled is false']);
    expect(judged(SEPARATE)).toEqual([]);
  });

  it('is reported at its own position', () => {
    const { problems } = parseConfig(`${CLUSTER_HEAD}---\n${SEPARATE}`);
    expect(problems).toMatchObject([{ document: 2, line: 4, column: 1, path: '', severity: 'warning', reason: 'NoEffect' }]);
  });

  it('is not compared with invalid values', () => {
    expect(beside('Generic: {LeaderMigrationEnabled: x}')).toHaveLength(1);
    expect(
      beside(
        'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: m, resourceLock: leases}}',
        `${SEPARATE}controllerLeaders: x\n`,
      ),
    ).toEqual(['error controllerLeaders: must be a list, not "x"']);
  });
});
