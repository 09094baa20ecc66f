import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

describe('contention profiling', () => {
  const debugging = (text: string) => judgedCloud(`Generic: {Debugging: {${text}}}`);

  it('requires profiling', () => {
    expect(debugging('enableProfiling: false, enableContentionProfiling: true')).toEqual([
      'warning Generic.Debugging.enableContentionProfiling: has no effect while enableProfiling is false',
    ]);
  });

  it.each(['enableContentionProfiling: true', 'enableProfiling: false', 'enableProfiling: false, enableContentionProfiling: false'])(
    '%s is accepted',
    (text) => expect(debugging(text)).toEqual([]),
  );
});

describe('the reconciler period', () => {
  const attach = (text: string) => judgedCluster(`AttachDetachController: {${text}}`);

  it('requires the reconciler', () => {
    expect(attach('DisableAttachDetachReconcilerSync: true, ReconcilerSyncLoopPeriod: 2m')).toEqual([
      'warning AttachDetachController.ReconcilerSyncLoopPeriod: has no effect while DisableAttachDetachReconcilerSync is true',
    ]);
  });

  it.each([
    'DisableAttachDetachReconcilerSync: true',
    'ReconcilerSyncLoopPeriod: 2m',
    'DisableAttachDetachReconcilerSync: true, ReconcilerSyncLoopPeriod: 60s',
  ])('%s is accepted', (text) => expect(attach(text)).toEqual([]));
});

describe('a built-in cloud provider', () => {
  const NAME = 'ClusterCloudShared.CloudProvider.Name';
  const shared = (text: string) => judgedCluster(`ClusterCloudShared: {${text}}`);

  it.each([
    [
      'CloudProvider: {Name: aws}',
      `warning ${NAME}: must be external or empty in current releases, which have no built-in cloud provider, not "aws"`,
    ],
    [
      'CloudProvider: {CloudConfigFile: /f}',
      'warning ClusterCloudShared.CloudProvider.CloudConfigFile: has no effect in this component: no cloud provider is built in',
    ],
    [
      'AllowUntaggedCloud: true',
      'warning ClusterCloudShared.AllowUntaggedCloud: has no effect in this component: no cloud provider is built in',
    ],
  ])('does not exist in the cluster controller manager: %s', (text, problem) => expect(shared(text)).toEqual([problem]));

  it.each(['CloudProvider: {Name: external}', 'CloudProvider: {Name: ""}', 'AllowUntaggedCloud: false'])('%s is fine', (text) =>
    expect(shared(text)).toEqual([]),
  );

  it('exists in the cloud controller manager', () => {
    expect(
      judgedCloud(
        'ClusterCloudShared: {CloudProvider: {Name: aws, CloudConfigFile: /f}, AllowUntaggedCloud: true, CIDRAllocatorType: CloudAllocator}',
      ),
    ).toEqual([]);
  });
});
