import { describe, expect, it } from '@jest/globals';
import { CLOUD_HEAD, CLUSTER_HEAD, judgedCluster, places } from '../../../test/support/judged-config.ts';
import { parseConfig } from '../load-config.ts';

const election = (text: string) => judgedCluster(`Generic: {LeaderElection: {${text}}}`);

describe('every rule', () => {
  it.each([CLUSTER_HEAD, CLOUD_HEAD])('reports nothing for the defaults: %j', (head) => {
    expect(parseConfig(head)).toMatchObject({ valid: true, problems: [] });
  });

  it('does not report on invalid values', () => {
    expect(election('leaseDuration: x, renewDeadline: 20s')).toHaveLength(1);
    expect(election('retryPeriod: x, renewDeadline: 1s')).toHaveLength(1);
    expect(election('leaderElect: x, renewDeadline: 20s')).toHaveLength(1);
    expect(judgedCluster('Generic: {Controllers: [5]}\nJobController: {ConcurrentJobSyncs: 7}')).toHaveLength(1);
    expect(judgedCluster('ClusterCloudShared: {AllocateNodeCIDRs: x, ClusterCIDR: 10.0.0.0/16}')).toHaveLength(1);
    expect(judgedCluster('Generic: {Debugging: {enableProfiling: x, enableContentionProfiling: true}}')).toHaveLength(1);
  });

  it('reports the position of the field to change', () => {
    expect(places('Generic:\n  LeaderElection:\n    leaseDuration: 8s\n')).toEqual(['3:5 Generic.LeaderElection.renewDeadline']);
    expect(places('Generic:\n  Controllers:\n  - "*"\n  - foo\n')).toEqual(['4:5 Generic.Controllers[1]']);
    expect(places('Generic: {Debugging: {enableProfiling: false, enableContentionProfiling: true}}')).toEqual([
      '1:74 Generic.Debugging.enableContentionProfiling',
    ]);
    expect(places('ClusterCloudShared:\n  AllocateNodeCIDRs: true\n')).toEqual(['2:3 ClusterCloudShared.ClusterCIDR']);
    expect(places('NodeIPAMController:\n  NodeCIDRMaskSize: 26\n')).toEqual(['2:21 NodeIPAMController.NodeCIDRMaskSize']);
  });
});

describe('settings without effect', () => {
  it.each([
    'NodeLifecycleController: {PodEvictionTimeout: 1m}',
    'Generic: {Port: 1}',
    'Generic: {Address: 127.0.0.1}',
    'ClusterCloudShared: {NodeSyncPeriod: 1s}',
    'ClusterCloudShared: {ExternalCloudVolumePlugin: p}',
    'PersistentVolumeBinderController: {VolumeConfiguration: {PersistentVolumeRecyclerConfiguration: {MaximumRetry: 4}}}',
  ])('%s', (text) => {
    expect(judgedCluster(text)).toEqual([expect.stringMatching(/^warning [A-Za-z.]+: has no effect in current releases$/)]);
  });

  it('may have their default', () => expect(judgedCluster('NodeLifecycleController: {PodEvictionTimeout: 5m}')).toEqual([]));
});

describe('durations', () => {
  it.each([
    ['Generic: {MinResyncPeriod: 0s}', 'Generic.MinResyncPeriod: must be more than 0s, not 0s'],
    ['Generic: {ControllerStartInterval: -1s}', 'Generic.ControllerStartInterval: must be 0s or more, not -1s'],
    [
      'AttachDetachController: {ReconcilerSyncLoopPeriod: 999ms}',
      'AttachDetachController.ReconcilerSyncLoopPeriod: must be 1s or more, not 999ms',
    ],
  ])('%s', (text, problem) => expect(judgedCluster(text)).toEqual([`error ${problem}`]));

  it('may be 0s if that means not to wait', () => {
    expect(judgedCluster('EndpointController: {EndpointUpdatesBatchPeriod: 0s}\nGeneric: {ControllerStartInterval: "0"}')).toEqual([]);
  });
});

describe('enums', () => {
  it('report the allowed values', () => {
    expect(judgedCluster('ClusterCloudShared: {AllocateNodeCIDRs: true, ClusterCIDR: 10.0.0.0/16, CIDRAllocatorType: Any}')).toEqual([
      'error ClusterCloudShared.CIDRAllocatorType: must be RangeAllocator or CloudAllocator or IPAMFromCluster or IPAMFromCloud, not "Any"',
    ]);
  });
});

describe('empty texts', () => {
  it.each([
    ['Generic: {LeaderElection: {resourceLock: ""}}'],
    ['Generic: {ClientConnection: {contentType: ""}}'],
    ['Generic: {Address: "", Controllers: []}'],
    ['ClusterCloudShared: {ClusterName: ""}'],
    ['PersistentVolumeBinderController: {VolumeConfiguration: {FlexVolumePluginDir: ""}}'],
  ])('mean the default: %s', (text) => {
    const configOf = (fields: string) => {
      const loaded = parseConfig(CLUSTER_HEAD + fields);
      expect(loaded).toMatchObject({ valid: true, problems: [] });
      return loaded.valid ? loaded.documents[0]?.config : undefined;
    };
    expect(configOf(text)).toEqual(configOf(''));
  });
});
