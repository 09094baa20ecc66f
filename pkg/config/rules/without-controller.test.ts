import { describe, expect, it } from '@jest/globals';
import { CLOUD_HEAD, judged, judgedCloud, judgedCluster, MIGRATION_HEAD } from '../../../test/support/judged-config.ts';

const JOB = 'JobController: {ConcurrentJobSyncs: 7}';
const noEffect = (path: string, controller: string, why: string) => `warning ${path}: has no effect while ${controller} is off: ${why}`;
const job = (why: string) => [noEffect('JobController.ConcurrentJobSyncs', 'job-controller', why)];

describe('settings of a controller', () => {
  it.each([
    ['Generic: {Controllers: ["*", -job]}', 'Generic.Controllers[1] is -job'],
    ['Generic: {Controllers: [-job-controller, job, "*"]}', 'Generic.Controllers[0] is -job-controller'],
    ['Generic: {Controllers: [ttl]}', 'Generic.Controllers contains neither it nor *'],
  ])('%s: have no effect', (list, why) => expect(judgedCluster(`${list}\n${JOB}`)).toContain(job(why)[0]));

  it.each([
    '',
    'Generic: {Controllers: ["*"]}',
    'Generic: {Controllers: [job]}',
    'Generic: {Controllers: ["*", -ttl]}',
    'Generic: {Controllers: []}',
  ])('have an effect while it runs: %s', (list) => expect(judgedCluster(`${list}\n${JOB}`)).toEqual([]));

  it('may be the defaults if the controller is off', () => {
    expect(judgedCluster('Generic: {Controllers: ["*", -job]}\nJobController: {ConcurrentJobSyncs: 5}')).toEqual([]);
  });

  it('are checked one by one, and lists as a whole', () => {
    expect(
      judgedCluster(
        'Generic: {Controllers: ["*", -garbagecollector]}\nGarbageCollectorController: {ConcurrentGCSyncs: 3, EnableGarbageCollector: true, GCIgnoredResources: [{Resource: pods}]}',
      ),
    ).toEqual(
      ['ConcurrentGCSyncs', 'GCIgnoredResources'].map((field) =>
        noEffect(`GarbageCollectorController.${field}`, 'garbage-collector-controller', 'Generic.Controllers[1] is -garbagecollector'),
      ),
    );
  });

  it('of several controllers have an effect while one of them runs', () => {
    const flex = 'PersistentVolumeBinderController: {VolumeConfiguration: {FlexVolumePluginDir: /flex}}';
    const controllers = (...off: string[]) => judgedCluster(`Generic: {Controllers: ${JSON.stringify(['*', ...off])}}\n${flex}`);
    expect(controllers('-persistentvolume-binder', '-attachdetach')).toEqual([]);
    expect(controllers('-persistentvolume-binder', '-attachdetach', '-persistentvolume-expander')).toEqual([
      'warning PersistentVolumeBinderController.VolumeConfiguration.FlexVolumePluginDir: has no effect while persistentvolume-binder-controller and persistentvolume-attach-detach-controller and persistentvolume-expander-controller are off: Generic.Controllers[1] is -persistentvolume-binder and Generic.Controllers[2] is -attachdetach and Generic.Controllers[3] is -persistentvolume-expander',
    ]);
  });
});

describe('a requirement of a controller', () => {
  it.each([
    [
      'GarbageCollectorController: {EnableGarbageCollector: false, ConcurrentGCSyncs: 3}',
      'GarbageCollectorController.ConcurrentGCSyncs',
      'garbage-collector-controller',
      'GarbageCollectorController.EnableGarbageCollector is false',
    ],
    [
      'SAController: {ConcurrentSATokenSyncs: 3}',
      'SAController.ConcurrentSATokenSyncs',
      'serviceaccount-token-controller',
      'SAController.ServiceAccountKeyFile is not set',
    ],
    [
      'CSRSigningController: {ClusterSigningDuration: 1h}',
      'CSRSigningController.ClusterSigningDuration',
      'certificatesigningrequest-signing-controller',
      'CSRSigningController has no certificate and key for any signer',
    ],
    [
      'NodeIPAMController: {ServiceCIDR: 10.0.0.0/16}',
      'NodeIPAMController.ServiceCIDR',
      'node-ipam-controller',
      'ClusterCloudShared.AllocateNodeCIDRs is false',
    ],
    [
      'ClusterCloudShared: {ClusterCIDR: 10.0.0.0/16}',
      'ClusterCloudShared.ClusterCIDR',
      'node-ipam-controller',
      'ClusterCloudShared.AllocateNodeCIDRs is false',
    ],
    [
      'ServiceController: {ConcurrentServiceSyncs: 3}',
      'ServiceController.ConcurrentServiceSyncs',
      'service-lb-controller',
      'runs in the cloud controller manager only',
    ],
    [
      'ClusterCloudShared: {ConfigureCloudRoutes: false}',
      'ClusterCloudShared.ConfigureCloudRoutes',
      'node-route-controller',
      'runs in the cloud controller manager only',
    ],
  ])('%s', (text, path, controller, why) => expect(judgedCluster(text)).toEqual([noEffect(path, controller, why)]));

  it.each([
    'GarbageCollectorController: {EnableGarbageCollector: false}',
    'GarbageCollectorController: {ConcurrentGCSyncs: 3}',
    'SAController: {ServiceAccountKeyFile: k, ConcurrentSATokenSyncs: 3}',
    'SAController: {RootCAFile: c}',
    'CSRSigningController: {ClusterSigningDuration: 1h, ClusterSigningCertFile: c, ClusterSigningKeyFile: k}',
  ])('%s is accepted', (text) => expect(judgedCluster(text)).toEqual([]));

  it('may be set even if the list excludes the controller', () => {
    expect(judgedCloud('Generic: {Controllers: ["*", -route]}\nClusterCloudShared: {ConfigureCloudRoutes: false}')).toEqual([]);
    expect(
      judgedCluster('Generic: {Controllers: ["*", -garbagecollector]}\nGarbageCollectorController: {EnableGarbageCollector: false}'),
    ).toEqual([]);
  });

  it('is not reported for incomplete files, which are another problem', () => {
    expect(judgedCluster('CSRSigningController: {ClusterSigningCertFile: c}')).toHaveLength(1);
  });

  it('is not reported for the disabling setting itself if the list excludes the controller too', () => {
    expect(
      judgedCluster('Generic: {Controllers: ["*", -nodeipam]}\nClusterCloudShared: {AllocateNodeCIDRs: true, ClusterCIDR: 10.0.0.0/16}'),
    ).toEqual(
      ['AllocateNodeCIDRs', 'ClusterCIDR'].map((field) =>
        noEffect(`ClusterCloudShared.${field}`, 'node-ipam-controller', 'Generic.Controllers[1] is -nodeipam'),
      ),
    );
  });

  it('of the cloud component is checked separately', () => {
    expect(judgedCloud('ClusterCloudShared: {ConfigureCloudRoutes: false, RouteReconciliationPeriod: 1m}')).toEqual([
      noEffect('ClusterCloudShared.RouteReconciliationPeriod', 'node-route-controller', 'ClusterCloudShared.ConfigureCloudRoutes is false'),
    ]);
    expect(judgedCloud('Generic: {Controllers: ["*", -cloud-node]}\nNodeStatusUpdateFrequency: 1m')).toEqual([
      noEffect('NodeStatusUpdateFrequency', 'cloud-node-controller', 'Generic.Controllers[1] is -cloud-node'),
    ]);
    expect(judgedCloud('ServiceController: {ConcurrentServiceSyncs: 3}\nClusterCloudShared: {ClusterCIDR: 10.0.0.0/16}')).toEqual([]);
  });
});

describe('a feature gate', () => {
  const TAINTS = 'DeviceTaintEvictionController: {ConcurrentSyncs: 3}';
  const off = (why: string) => [
    noEffect(
      'DeviceTaintEvictionController.ConcurrentSyncs',
      'device-taint-eviction-controller',
      `needs the feature gate DRADeviceTaints, ${why}`,
    ),
  ];

  it('that is on by default is not reported', () => expect(judgedCluster(TAINTS)).toEqual([]));

  it('may be turned off by name or by stage', () => {
    expect(judgedCluster(TAINTS, { featureGates: new Map([['DRADeviceTaints', false]]) })).toEqual(off('which is set to false'));
    expect(judgedCluster(TAINTS, { featureGates: new Map([['AllBeta', false]]) })).toEqual(off('which AllBeta=false turns off'));
    expect(
      judgedCluster(TAINTS, {
        featureGates: new Map([
          ['AllBeta', false],
          ['DRADeviceTaints', true],
        ]),
      }),
    ).toEqual([]);
  });
});

describe('a migration', () => {
  const leaders = (component: string) =>
    `leaderName: l\nresourceLock: leases\ncontrollerLeaders: [{name: service-lb-controller, component: ${component}}]\n`;
  const cloud = `${CLOUD_HEAD}Generic: {LeaderMigrationEnabled: true}\nServiceController: {ConcurrentServiceSyncs: 3}\n`;

  it('may assign a controller to the other component', () => {
    expect(judged(`${cloud}---\n${MIGRATION_HEAD}${leaders('kube-controller-manager')}`)).toEqual([
      noEffect('ServiceController.ConcurrentServiceSyncs', 'service-lb-controller', 'the migration leaves it to kube-controller-manager'),
    ]);
  });

  it.each(['cloud-controller-manager', '"*"'])('assigns it to %s', (component) =>
    expect(judged(`${cloud}---\n${MIGRATION_HEAD}${leaders(component)}`)).toEqual([]),
  );

  it('that is invalid is ignored', () => {
    expect(judged(`${cloud}---\n${MIGRATION_HEAD}leaderName: l\nresourceLock: leases\ncontrollerLeaders: x\n`)).toEqual([
      'error controllerLeaders: must be a list, not "x"',
    ]);
  });
});

describe('a controller of the other component', () => {
  const controllers = (...names: string[]) => judgedCluster(`Generic: {Controllers: ${JSON.stringify(names)}}`);

  it('is not started by its name', () => {
    expect(controllers('*', 'service')).toEqual([
      'warning Generic.Controllers[1]: has no effect: service-lb-controller runs in the cloud controller manager only',
    ]);
    expect(controllers('*', 'node-route-controller')).toHaveLength(1);
  });

  it('may be excluded, for releases that ran it', () => expect(controllers('*', '-service')).toEqual([]));

  it('is accepted there', () => expect(judgedCloud('Generic: {Controllers: ["*", service]}')).toEqual([]));
});
