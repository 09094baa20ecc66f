import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../load-config.ts';

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';

/** `severity path: message` of each problem, in the order of the file. */
const judged = (text: string): string[] =>
  parseConfig(HEAD + text).problems.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

const election = (text: string) => judged(`Generic: {LeaderElection: {${text}}}`);

describe('every rule', () => {
  it.each(['ClusterControllerManagerConfiguration', 'CloudControllerManagerConfiguration'])(
    'finds nothing in the defaults of %s',
    (kind) => {
      const group = kind.replace('Configuration', '').toLowerCase();
      expect(parseConfig(`apiVersion: ${group}.config.k8s.io/v1alpha1\nkind: ${kind}\n`)).toMatchObject({ valid: true, problems: [] });
    },
  );

  it('is not heard about values that could not be read', () => {
    expect(election('leaseDuration: x, renewDeadline: 20s')).toHaveLength(1);
    expect(election('retryPeriod: x, renewDeadline: 1s')).toHaveLength(1);
    expect(election('leaderElect: x, renewDeadline: 20s')).toHaveLength(1);
  });
});

describe('bounds', () => {
  it.each([
    ['Generic: {Port: -1}', 'Generic.Port: must be from 0 to 65535, not -1'],
    ['JobController: {ConcurrentJobSyncs: 0}', 'JobController.ConcurrentJobSyncs: must be 1 or more, not 0'],
    ['Generic: {ClientConnection: {burst: -1}}', 'Generic.ClientConnection.burst: must be 0 or more, not -1'],
    ['NodeLifecycleController: {UnhealthyZoneThreshold: 3}', 'NodeLifecycleController.UnhealthyZoneThreshold: must be from 0 to 1, not 3'],
    [
      'EndpointSliceController: {MaxEndpointsPerSlice: 1001}',
      'EndpointSliceController.MaxEndpointsPerSlice: must be from 1 to 1000, not 1001',
    ],
    ['NodeIPAMController: {NodeCIDRMaskSizeIPv4: 33}', 'NodeIPAMController.NodeCIDRMaskSizeIPv4: must be from 0 to 32, not 33'],
    [
      'ClusterCloudShared: {CIDRAllocatorType: Any}',
      'ClusterCloudShared.CIDRAllocatorType: must be RangeAllocator or CloudAllocator or IPAMFromCluster or IPAMFromCloud, not "Any"',
    ],
  ])('%s', (text, problem) => expect(judged(text)).toContain(`error ${problem}`));

  it('warn of settings that nothing reads any more', () => {
    expect(judged('NodeLifecycleController: {PodEvictionTimeout: 1m}')).toEqual([
      'warning NodeLifecycleController.PodEvictionTimeout: has no effect in current releases',
    ]);
  });
});

describe('durations', () => {
  it.each([
    ['Generic: {MinResyncPeriod: 0s}', 'Generic.MinResyncPeriod: must be more than 0s, not 0s'],
    ['Generic: {ControllerStartInterval: -1s}', 'Generic.ControllerStartInterval: must be 0s or more, not -1s'],
    [
      'AttachDetachController: {ReconcilerSyncLoopPeriod: 999ms}',
      'AttachDetachController.ReconcilerSyncLoopPeriod: must be 1s or more, not 999ms',
    ],
  ])('%s', (text, problem) => expect(judged(text)).toEqual([`error ${problem}`]));

  it('may be 0s where nothing waits then', () => {
    expect(judged('EndpointController: {EndpointUpdatesBatchPeriod: 0s}\nGeneric: {ControllerStartInterval: "0"}')).toEqual([]);
  });
});

describe('leader election', () => {
  const RENEW = 'Generic.LeaderElection.renewDeadline';

  it.each([
    ['renewDeadline: 16s', `error ${RENEW}: must be at most leaseDuration, 15s, not 16s`],
    ['leaseDuration: 8s', `error ${RENEW}: must be at most leaseDuration, 8s, not 10s`],
    [
      'renewDeadline: 15s',
      `warning ${RENEW}: is leaseDuration, 15s: allowed here, but a component does not start with it; it must be less`,
    ],
    ['renewDeadline: 2s', `error ${RENEW}: must be more than 1.2 times retryPeriod, 2.4s, not 2s`],
    ['renewDeadline: 2.4s', `error ${RENEW}: must be more than 1.2 times retryPeriod, 2.4s, not 2.4s`],
    ['retryPeriod: 0s', 'error Generic.LeaderElection.retryPeriod: must be more than 0s, not 0s'],
    ['resourceLock: endpoints', 'error Generic.LeaderElection.resourceLock: must be leases while leaderElect is true, not "endpoints"'],
  ])('%s', (text, problem) => expect(election(text)).toEqual([problem]));

  it.each(['renewDeadline: 14.9s', 'renewDeadline: 2.401s', 'leaderElect: false, renewDeadline: 1h, resourceLock: any, retryPeriod: 0s'])(
    '%s is fine',
    (text) => expect(election(text)).toEqual([]),
  );

  it('is judged where the file says something of it, if the value itself is a default', () => {
    const { problems } = parseConfig(`${HEAD}Generic:\n  LeaderElection:\n    leaseDuration: 8s\n`);
    expect(problems).toMatchObject([{ path: RENEW, line: 5, column: 5 }]);
  });
});

describe('addresses and ranges', () => {
  const shared = (text: string) => judged(`ClusterCloudShared: {${text}}`);
  const ipam = (cidr: string, text: string) => judged(`ClusterCloudShared: {ClusterCIDR: "${cidr}"}\nNodeIPAMController: {${text}}`);
  const CIDR = 'ClusterCloudShared.ClusterCIDR';
  const MASK = 'NodeIPAMController.NodeCIDRMaskSize';

  it.each(['localhost', '1.2.3.4:80', '[::1]', '1.2.3', '256.0.0.1'])('Address: %s is none', (address) => {
    expect(judged(`Generic: {Address: "${address}"}`)).toContain(
      `error Generic.Address: must be an IP address without a port, not "${address}"`,
    );
  });

  it.each(['10.0.0.0/16', '10.0.0.0/16,fd00::/48', 'fd00::/48,10.0.0.0/16', '010.0.0.0/16', '::ffff:10.0.0.0/104', ' 10.0.0.0/16 '])(
    'ClusterCIDR: %s is fine',
    (cidr) => expect(shared(`ClusterCIDR: "${cidr}"`)).toEqual([]),
  );

  it.each([
    ['10.0.0.0', `error ${CIDR}: "10.0.0.0" is no range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.0.0.0/33', `error ${CIDR}: "10.0.0.0/33" is no range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.244.1.5/16', `warning ${CIDR}: 10.244.1.5/16 stands for 10.244.0.0/16`],
    ['fd00:10::1/56', `warning ${CIDR}: fd00:10::1/56 stands for fd00:10::/56`],
    ['10.0.0.0/16,10.1.0.0/16', `error ${CIDR}: must be of different families, but both are of IPv4`],
    ['10.0.0.0/16,::ffff:10.1.0.0/112', `error ${CIDR}: must be of different families, but both are of IPv4`],
    ['10.0.0.0/16,fd00::/48,fd01::/48', `error ${CIDR}: must be one range, or two of different families, not 3`],
  ])('ClusterCIDR: %s', (cidr, problem) => expect(shared(`ClusterCIDR: "${cidr}"`)).toEqual([problem]));

  it('is needed for what is to be allocated', () => {
    expect(shared('AllocateNodeCIDRs: true')).toEqual([`error ${CIDR}: must be set while AllocateNodeCIDRs is true`]);
    expect(shared('AllocateNodeCIDRs: true, CIDRAllocatorType: CloudAllocator')).toEqual([]);
  });

  it.each([
    [
      'ServiceCIDR: 10.0.0.0/16, SecondaryServiceCIDR: 10.1.0.0/16',
      /^error .*SecondaryServiceCIDR: must be of the other family than ServiceCIDR, 10.0.0.0\/16, but both are of IPv4$/,
    ],
    [
      'SecondaryServiceCIDR: fd00::/112',
      /^error .*SecondaryServiceCIDR: is the second range of services, but there is no first, ServiceCIDR$/,
    ],
    ['ServiceCIDR: any', /^error .*ServiceCIDR: "any" is no range/],
  ])('NodeIPAMController: {%s}', (text, problem) => {
    expect(judged(`NodeIPAMController: {${text}}`)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    [
      '10.0.0.0/16,fd00::/48',
      'NodeCIDRMaskSize: 24',
      `error ${MASK}: must not be set with two cluster ranges; NodeCIDRMaskSizeIPv4 and NodeCIDRMaskSizeIPv6 are`,
    ],
    ['10.0.0.0/16', 'NodeCIDRMaskSizeIPv6: 64', `error ${MASK}IPv6: must not be set: ClusterCIDR, 10.0.0.0/16, is of IPv4`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 24, NodeCIDRMaskSizeIPv4: 25', `error ${MASK}IPv4: must not be set together with NodeCIDRMaskSize`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 15', `error ${MASK}: must be 16 or more within 10.0.0.0/16, not 15`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 64', `error ${MASK}: must be 32 or less for IPv4, not 64`],
    ['fd00::/48', 'NodeCIDRMaskSizeIPv6: 65', `error ${MASK}IPv6: must be at most 16 more than that of fd00::/48, 64, not 65`],
  ])('%s: {%s}', (cidr, text, problem) => expect(ipam(cidr, text)).toEqual([problem]));

  it('is too small for the default size only when it is divided at all', () => {
    expect(shared('ClusterCIDR: 10.0.0.0/25')).toEqual([]);
    expect(shared('ClusterCIDR: 10.0.0.0/25, AllocateNodeCIDRs: true')).toEqual([
      `error ${MASK}IPv4: must be 25 or more within 10.0.0.0/25, not the default, 24`,
    ]);
  });
});

describe('lists of controllers', () => {
  const controllers = (...names: string[]) => judged(`Generic: {Controllers: ${JSON.stringify(names)}}`);

  it.each([
    [['*', '-foo'], 'error Generic.Controllers[1]: "-foo" names no known controller'],
    [['-*'], 'error Generic.Controllers[0]: "-*" names no known controller'],
    [[''], 'error Generic.Controllers[0]: "" names no known controller'],
    [
      ['cronjob-controler'],
      'error Generic.Controllers[0]: "cronjob-controler" names no known controller; did you mean cronjob-controller?',
    ],
    [['CronJob'], 'error Generic.Controllers[0]: "CronJob" names no known controller; did you mean cronjob?'],
    [
      ['-ttl', 'ttl-controller'],
      'warning Generic.Controllers[1]: has no effect: Generic.Controllers[0], "-ttl", is the first for ttl-controller, and counts',
    ],
    [['*', '*'], 'warning Generic.Controllers[1]: has no effect: Generic.Controllers[0], "*", is the first for all, and counts'],
  ])('%j', (names, problem) => expect(controllers(...names)).toEqual([problem]));

  it('may have items behind the star', () => expect(controllers('*', '-ttl', 'tokencleaner')).toEqual([]));

  it('of the cloud component may have names of the provider', () => {
    const head = 'apiVersion: cloudcontrollermanager.config.k8s.io/v1alpha1\nkind: CloudControllerManagerConfiguration\n';
    expect(parseConfig(`${head}Generic: {Controllers: ["*", "-mine"]}\nWebhook: {Webhooks: [a, -a]}`).problems).toMatchObject([
      { path: 'Generic.Controllers[1]', severity: 'warning', reason: 'UnknownController' },
      { path: 'Webhook.Webhooks[1]', severity: 'warning', reason: 'NoEffect' },
    ]);
  });
});

describe('signers', () => {
  const signing = (text: string) => judged(`CSRSigningController: {${text}}`);
  const LEGACY = 'CSRSigningController.LegacyUnknownSignerConfiguration';

  it('have a certificate and a key, or neither', () => {
    expect(signing('ClusterSigningKeyFile: k')).toEqual([
      'error CSRSigningController.ClusterSigningCertFile: must be set together with CSRSigningController.ClusterSigningKeyFile',
    ]);
    expect(signing('LegacyUnknownSignerConfiguration: {CertFile: c}')).toEqual([
      `error ${LEGACY}.KeyFile: must be set together with ${LEGACY}.CertFile`,
    ]);
    expect(signing('LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}')).toEqual([]);
  });

  it('are not beside one that signs for all', () => {
    expect(
      signing('ClusterSigningCertFile: c, ClusterSigningKeyFile: k, LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}'),
    ).toEqual([`error ${LEGACY}: must not be set together with ClusterSigningCertFile and ClusterSigningKeyFile, which sign for all`]);
  });
});

describe('NodeMonitorGracePeriod', () => {
  const GRACE = 'NodeLifecycleController.NodeMonitorGracePeriod';
  it.each([
    ['NodeMonitorGracePeriod: 5s', `error ${GRACE}: must be more than NodeMonitorPeriod, 5s, not 5s`],
    ['NodeMonitorPeriod: 1m', `error ${GRACE}: must be more than NodeMonitorPeriod, 1m0s, not 50s`],
    [
      'NodeMonitorGracePeriod: 45s',
      `warning ${GRACE}: should be more than 45s, the time after which a dead HTTP/2 connection is noticed, not 45s`,
    ],
  ])('%s', (text, problem) => expect(judged(`NodeLifecycleController: {${text}}`)).toEqual([problem]));
});

describe('leader migration', () => {
  const migration = (text: string, head = 'leaderName: l\nresourceLock: leases\n') =>
    parseConfig(`apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\n${head}${text}`).problems.map(
      ({ severity, path, message }) => `${severity} ${path}: ${message}`,
    );

  it.each([
    ['{name: foo, component: "*"}', 'error controllerLeaders[0].name: "foo" is no known controller'],
    [
      '{name: node-route-controler, component: "*"}',
      'error controllerLeaders[0].name: "node-route-controler" is no known controller; did you mean node-route-controller?',
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
      'warning controllerLeaders[0].name: has no effect: controllerLeaders[1] is the last for node-route-controller, and counts',
    ],
  ])('controllerLeaders: [%s]', (leaders, problem) => expect(migration(`controllerLeaders: [${leaders}]`)).toEqual([problem]));

  it('names a lock that can be made', () => {
    expect(migration('', '')).toEqual(['error leaderName: must be set: it names the lock', 'error resourceLock: must be set, to leases']);
    expect(migration('', 'leaderName: l\nresourceLock: endpoints\n')).toEqual([
      'warning resourceLock: is allowed here, but a lock of endpoints can no longer be made; leases can',
    ]);
    expect(migration('', 'leaderName: l\nresourceLock: configmaps\n')).toEqual([
      'error resourceLock: must be leases or endpoints, not "configmaps"',
    ]);
  });

  it('inside another kind is judged like a document of its own', () => {
    expect(
      judged(
        'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases, controllerLeaders: [{name: x, component: "*"}]}}',
      ),
    ).toEqual(['error Generic.LeaderMigration.controllerLeaders[0].name: "x" is no known controller']);
  });

  it('has an effect while it is enabled and leaders are elected', () => {
    expect(judged('Generic: {LeaderMigrationEnabled: true, LeaderElection: {leaderElect: false}}')).toEqual([
      'warning Generic.LeaderMigrationEnabled: has no effect while leaderElect is false',
    ]);
    expect(judged('Generic: {LeaderMigration: {leaderName: l, resourceLock: leases}}')).toEqual([
      'warning Generic.LeaderMigration: has no effect while LeaderMigrationEnabled is false',
    ]);
  });
});
