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
    expect(judged('NodeLifecycleController: {PodEvictionTimeout: 5m}')).toEqual([
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
