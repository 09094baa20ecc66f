import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../load-config.ts';
import { convertSpelling } from './convert-spelling.ts';

const HEAD = 'apiVersion: kubecontrollermanager.config.k8s.io/v1alpha1\nkind: KubeControllerManagerConfiguration\n';
const NOW = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';

function moved(body: string): string {
  const { text = '', problems } = convertSpelling(HEAD + body, 'current');
  expect(problems).toEqual([]);
  expect(text.startsWith(NOW)).toBe(true);
  expect(parseConfig(text).problems.filter(({ reason }) => reason === 'OldSpelling')).toEqual([]);
  expect(convertSpelling(text, 'current').text).toBe(text);
  return text.slice(NOW.length);
}

const left = (body: string) =>
  convertSpelling(HEAD + body, 'current').problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('a field whose place is another one now', () => {
  it('is moved with its comments', () => {
    expect(
      moved(`KubeCloudShared:
  ClusterName: a

  # as long as
  # it takes
  NodeMonitorPeriod: 6s   # at least
  # of routes
  ConfigureCloudRoutes: false
NodeLifecycleController: # of nodes
    # slowly
    NodeEvictionRate: 0.1
`),
    ).toBe(`ClusterCloudShared:
  ClusterName: a

  # of routes
  ConfigureCloudRoutes: false
NodeLifecycleController: # of nodes
    # as long as
    # it takes
    NodeMonitorPeriod: 6s   # at least
    # slowly
    NodeEvictionRate: 0.1
`);
  });

  it('is moved up as well as down', () => {
    expect(moved('NodeLifecycleController:\n  NodeEvictionRate: 0.1\nKubeCloudShared:\n  NodeMonitorPeriod: 6s\n  ClusterName: a')).toBe(
      'NodeLifecycleController:\n  NodeMonitorPeriod: 6s\n  NodeEvictionRate: 0.1\nClusterCloudShared:\n  ClusterName: a',
    );
  });

  it.each([
    ['KubeCloudShared:\n  NodeMonitorPeriod: 6s\n', 'ClusterCloudShared:\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod: 6s', 'ClusterCloudShared:\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n'],
    [
      'KubeCloudShared:\n  NodeMonitorPeriod: 6s\n  ClusterName: a # b',
      'ClusterCloudShared:\n  ClusterName: a # b\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n',
    ],
    [
      'KubeCloudShared:\n  NodeMonitorPeriod: 6s\nGeneric: {Controllers: [\n  "*"]} # c\n# end\n',
      'ClusterCloudShared:\nGeneric: {Controllers: [\n  "*"]} # c\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n# end\n',
    ],
    [
      'NodeLifecycleController:\nKubeCloudShared:\n  NodeMonitorPeriod: 6s\n  ClusterName: a\n',
      'NodeLifecycleController:\n  NodeMonitorPeriod: 6s\nClusterCloudShared:\n  ClusterName: a\n',
    ],
  ])('finds a place where there is none: %j', (before, after) => expect(moved(before)).toBe(after));

  it('is moved within its document', () => {
    const migration =
      'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';
    const { text } = convertSpelling(`${HEAD}KubeCloudShared:\n  NodeMonitorPeriod: 6s\n...\n---\n${migration}`, 'current');
    expect(text).toBe(`${NOW}ClusterCloudShared:\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n...\n---\n${migration}`);
  });

  it.each([
    ['KubeCloudShared: {NodeMonitorPeriod: 6s}\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod: 6s\nNodeLifecycleController: {NodeEvictionRate: 0.1}\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod:\n    6s\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod: *p\nNodeLifecycleController:\n  NodeStartupGracePeriod: &p 6s\n'],
  ])('stays, and is named, in %j', (body) => {
    const remarks = left(body);
    expect(remarks).toHaveLength(1);
  });

  it('stays where aliases would mean something else', () => {
    const body =
      'KubeCloudShared:\n  NodeMonitorPeriod: &p 6s\nNodeLifecycleController:\n  NodeEvictionRate: 0.1\nHPAController:\n  HorizontalPodAutoscalerSyncPeriod: *p\n';
    expect(left(body)).toEqual([]);
    const turned =
      'NodeLifecycleController:\n  NodeEvictionRate: 0.1\nGeneric:\n  MinResyncPeriod: &p 9h\nKubeCloudShared:\n  NodeMonitorPeriod: *p\n';
    expect(left(turned)).toEqual(['8:3 is NodeLifecycleController.NodeMonitorPeriod now, and cannot be moved there as it stands here']);
    expect(convertSpelling(HEAD + turned, 'current').text).toBe(NOW + turned.replace('Kube', 'Cluster'));
  });

  it('stays when the other one is set too', () => {
    expect(left('KubeCloudShared:\n  NodeMonitorPeriod: 6s\nNodeLifecycleController:\n  NodeMonitorPeriod: 7s\n')).toEqual([
      '4:3 is NodeLifecycleController.NodeMonitorPeriod now, which is set too and counts; take this one out',
    ]);
  });

  it('stays where it says nothing', () => {
    const body = 'KubeCloudShared:\n  NodeMonitorPeriod:\n';
    expect(convertSpelling(HEAD + body, 'current')).toEqual({ text: NOW + body.replace('Kube', 'Cluster'), problems: [] });
  });

  it('stays on the way to older names', () => {
    const body = 'ClusterCloudShared:\n  NodeMonitorPeriod: 6s\n';
    expect(convertSpelling(NOW + body, 'old')).toEqual({ text: HEAD + body.replace('Cluster', 'Kube'), problems: [] });
  });
});
