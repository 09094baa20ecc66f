import { describe, expect, it } from '@jest/globals';
import type { ComponentDocument } from '../config-document.ts';
import type { ConfigKindName } from '../kinds/config-kind.ts';
import { controllersOf } from '../kinds/controllers-of.ts';
import { parseConfig } from '../load-config.ts';
import { enabledControllers } from './enabled-controllers.ts';
import { equivalentFlags } from './equivalent-flags.ts';
import { parseFeatureGates } from './feature-gates.ts';
import type { Migration } from './active-migration.ts';

function componentOf(text: string, kind: ConfigKindName = 'ClusterControllerManagerConfiguration'): ComponentDocument {
  const group = kind.replace('Configuration', '').toLowerCase();
  const loaded = parseConfig(`apiVersion: ${group}.config.k8s.io/v1alpha1\nkind: ${kind}\n${text}`);
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  const document = loaded.documents.find((each): each is ComponentDocument => each.kind !== 'LeaderMigrationConfiguration');
  if (document === undefined) throw new Error('there is no component');
  return document;
}

const decided = (text: string, name: string, kind?: ConfigKindName) => {
  const found = enabledControllers(componentOf(text, kind)).find((controller) => controller.name === name);
  return found === undefined ? 'unknown' : `${found.runs ? 'runs' : 'off'}: ${found.why}`;
};

describe('enabled controllers', () => {
  it.each(['ClusterControllerManagerConfiguration', 'CloudControllerManagerConfiguration'] as const)(
    'of %s have the defaults of the facts',
    (kind) => {
      const running = enabledControllers(componentOf('', kind)).filter(({ runs }) => runs);
      expect(running.map(({ name }) => name)).toEqual(
        controllersOf(kind).flatMap(({ name, runsByDefault }) => (runsByDefault ? [name] : [])),
      );
    },
  );

  it.each([
    ['Generic: {Controllers: ["*", -ttl, ttl-controller]}', 'ttl-controller', 'off: Generic.Controllers[1] is -ttl'],
    ['Generic: {Controllers: [job]}', 'job-controller', 'runs: Generic.Controllers[0] is job'],
    ['Generic: {Controllers: [job]}', 'ttl-controller', 'off: Generic.Controllers contains neither it nor *'],
    ['', 'token-cleaner-controller', 'off: off by default, and Generic.Controllers does not name it'],
    ['', 'node-ipam-controller', 'off: ClusterCloudShared.AllocateNodeCIDRs is false'],
    ['SAController: {ServiceAccountKeyFile: k}', 'serviceaccount-token-controller', 'runs: on by default'],
    ['', 'podcertificaterequest-cleaner-controller', 'off: needs the feature gate PodCertificateRequest, which is off by default'],
    ['Generic: {Controllers: ["*", service]}', 'service-lb-controller', 'off: runs in the cloud controller manager only'],
  ])('%s: %s is %s', (text, name, decision) => expect(decided(text, name)).toBe(decision));

  it('configure no routes by default', () => {
    expect(
      decided('ClusterCloudShared: {ConfigureCloudRoutes: false}', 'node-route-controller', 'CloudControllerManagerConfiguration'),
    ).toBe('off: ClusterCloudShared.ConfigureCloudRoutes is false');
  });
});

describe('feature gates', () => {
  const withGates = (gates: string, name: string) => {
    const found = enabledControllers(componentOf(''), { featureGates: parseFeatureGates(gates) }).find((each) => each.name === name);
    return `${found?.runs === true ? 'runs' : 'off'}: ${found?.why ?? ''}`;
  };

  it.each([
    ['PodCertificateRequest=true', 'podcertificaterequest-cleaner-controller', 'runs: on by default'],
    ['DRADeviceTaints=false', 'device-taint-eviction-controller', 'off: needs the feature gate DRADeviceTaints, which is set to false'],
    ['AllBeta=false', 'device-taint-eviction-controller', 'off: needs the feature gate DRADeviceTaints, which AllBeta=false turns off'],
    ['AllBeta=false,DRADeviceTaints=true', 'device-taint-eviction-controller', 'runs: on by default'],
    ['AllBeta=true', 'podcertificaterequest-cleaner-controller', 'runs: on by default'],
    ['AllBeta=true', 'podgroup-protection-controller', 'off: needs the feature gate GenericWorkload, which is off by default'],
    ['AllAlpha=true', 'podgroup-protection-controller', 'runs: on by default'],
    ['AllAlpha=true', 'storageversion-garbage-collector-controller', 'runs: on by default'],
    [
      'AllAlpha=true,APIServerIdentity=false',
      'storageversion-garbage-collector-controller',
      'off: needs the feature gate APIServerIdentity, which is set to false',
    ],
    ['StorageVersionMigrator=true', 'storage-version-migrator-controller', 'runs: on by default'],
    ['AllAlpha=true', 'selinux-warning-controller', 'off: off by default, and Generic.Controllers does not name it'],
  ])('%s: %s is %s', (gates, name, decision) => expect(withGates(gates, name)).toBe(decision));

  it('are parsed like a command line', () => {
    expect([...parseFeatureGates(' A=true, B=F,A=0,,')]).toEqual([
      ['A', false],
      ['B', false],
    ]);
    expect([...parseFeatureGates('')]).toEqual([]);
  });

  it.each([
    ['A', '"A" is not NAME=true or NAME=false'],
    ['=true', '"=true" is not NAME=true or NAME=false'],
    ['A=true=false', '"A=true=false" is not NAME=true or NAME=false'],
    ['A B=true', '"A B=true" is not NAME=true or NAME=false'],
    ['A=yes', '"yes" is not true or false, for the feature gate A'],
  ])('reject %s', (text, message) => expect(() => parseFeatureGates(text)).toThrow(message));
});

describe('a migration', () => {
  const ON = 'Generic: {LeaderMigrationEnabled: true';
  const leader = (name: string, component: string) => ({ leaderName: 'moving', controllerLeaders: [{ name, component }] });
  const under = (text: string, migration: Migration | undefined, name: string, kind?: ConfigKindName) => {
    const controllers = enabledControllers(componentOf(text, kind), migration === undefined ? {} : { migration });
    const found = controllers.find((each) => each.name === name);
    return `${found?.runs === true ? 'runs' : 'off'}: ${found?.why ?? ''}`;
  };
  const CLOUD = 'CloudControllerManagerConfiguration';
  const SERVICE = 'service-lb-controller';

  it.each([
    ['cloud-controller-manager', 'runs: on by default; under the lock of the migration, moving'],
    ['*', 'runs: on by default; under the lock of the migration, moving'],
    ['kube-controller-manager', 'off: the migration leaves it to kube-controller-manager'],
    ['cluster-controller-manager', 'off: the migration leaves it to cluster-controller-manager'],
  ])('to %s overrides the cloud component', (component, decision) => {
    expect(under(`${ON}}`, leader(SERVICE, component), SERVICE, CLOUD)).toBe(decision);
  });

  it.each(['kube-controller-manager', 'cluster-controller-manager'])('calls the cluster component %s', (component) => {
    expect(under(`${ON}}`, leader('job-controller', component), 'job-controller')).toBe(
      'runs: on by default; under the lock of the migration, moving',
    );
  });

  it('does not affect other controllers, or controllers under older names', () => {
    expect(under(`${ON}}`, leader(SERVICE, 'cloud-controller-manager'), 'job-controller')).toBe('runs: on by default');
    expect(under(`${ON}}`, leader('job', 'cloud-controller-manager'), 'job-controller')).toBe('runs: on by default');
  });

  it('does not start controllers that the list excludes', () => {
    expect(under(`${ON}, Controllers: ["*", -service]}`, leader(SERVICE, '*'), SERVICE, CLOUD)).toBe(
      'off: Generic.Controllers[1] is -service',
    );
  });

  it.each(['Generic: {}', `${ON}, LeaderElection: {leaderElect: false}}`])('is not in force: %s', (text) => {
    expect(under(text, leader(SERVICE, 'kube-controller-manager'), SERVICE, CLOUD)).toBe('runs: on by default');
  });

  it('in its own document overrides an embedded one, which overrides the built-in one', () => {
    const inside = `${ON}, LeaderMigration: {leaderName: inside, resourceLock: leases, controllerLeaders: [{name: ${SERVICE}, component: "*"}]}}`;
    expect(under(inside, undefined, SERVICE, CLOUD)).toBe('runs: on by default; under the lock of the migration, inside');
    expect(under(inside, leader(SERVICE, 'kube-controller-manager'), SERVICE, CLOUD)).toBe(
      'off: the migration leaves it to kube-controller-manager',
    );
    expect(under(`${ON}}`, undefined, 'cloud-node-lifecycle-controller', CLOUD)).toBe(
      'runs: on by default; under the lock of the migration, cloud-provider-extraction-migration',
    );
  });
});

describe('equivalent flags', () => {
  it('contain each setting of the file once', () => {
    expect(
      equivalentFlags(
        componentOf(
          'Generic: {Port: 0, Controllers: ["*", -ttl], MinResyncPeriod: 720m, LeaderElection: {leaderElect: false}}\nNodeIPAMController: {ServiceCIDR: 10.0.0.0/16, SecondaryServiceCIDR: "fd00::/112"}\nCSRSigningController: {LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}}\nPodGCController: {TerminatedPodGCThreshold: -1}\nGarbageCollectorController: {GCIgnoredResources: [{Resource: events}]}\n',
        ),
      ),
    ).toEqual({
      flags: [
        '--min-resync-period=12h0m0s',
        '--leader-elect=false',
        '--controllers=*,-ttl',
        '--cluster-signing-legacy-unknown-cert-file=c',
        '--cluster-signing-legacy-unknown-key-file=k',
        '--service-cluster-ip-range=10.0.0.0/16,fd00::/112',
        '--terminated-pod-gc-threshold=-1',
      ],
      withoutFlag: ['Generic.Port', 'GarbageCollectorController.GCIgnoredResources'],
    });
  });

  it('are empty for a migration, which is a file of its own there', () => {
    const text = 'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases}}';
    expect(equivalentFlags(componentOf(text))).toEqual({
      flags: ['--enable-leader-migration=true'],
      withoutFlag: ['Generic.LeaderMigration'],
    });
  });

  it('contain the migration file and feature gates', () => {
    const text = 'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases}}';
    expect(equivalentFlags(componentOf(text), { migrationFile: '/m.yaml', featureGates: parseFeatureGates('A=true,B=false') })).toEqual({
      flags: ['--enable-leader-migration=true', '--leader-migration-config=/m.yaml', '--feature-gates=A=true,B=false'],
      withoutFlag: [],
    });
    expect(equivalentFlags(componentOf(''), { featureGates: new Map() })).toEqual({ flags: [], withoutFlag: [] });
  });
});
