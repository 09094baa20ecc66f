import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseConfig } from '../load-config.ts';
import { compareDocuments } from '../print/compare-documents.ts';
import { printYaml } from '../print/print-yaml.ts';
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

describe('a moved field', () => {
  it('is moved after a byte order mark', () => {
    expect(convertSpelling(`\uFEFF${NOW}ClusterCloudShared:\n  NodeMonitorPeriod: 4s\n`, 'current')).toEqual({
      text: `\uFEFF${NOW}ClusterCloudShared:\nNodeLifecycleController:\n  NodeMonitorPeriod: 4s\n`,
      problems: [],
    });
  });

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

  it('is moved up or down', () => {
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
  ])('creates its new place if needed: %j', (before, after) => expect(moved(before)).toBe(after));

  it('is moved within its document', () => {
    const migration =
      'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';
    const { text } = convertSpelling(`${HEAD}KubeCloudShared:\n  NodeMonitorPeriod: 6s\n...\n---\n${migration}`, 'current');
    expect(text).toBe(`${NOW}ClusterCloudShared:\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n...\n---\n${migration}`);
  });

  it.each([
    ['KubeCloudShared: {NodeMonitorPeriod: 6s}\n', 'ClusterCloudShared: {}\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n'],
    [
      'KubeCloudShared: {ClusterName: a, NodeMonitorPeriod: 6s}\nNodeLifecycleController: {NodeEvictionRate: 0.1}\n',
      'ClusterCloudShared: {ClusterName: a}\nNodeLifecycleController: {NodeMonitorPeriod: 6s, NodeEvictionRate: 0.1}\n',
    ],
    [
      'KubeCloudShared:\n  NodeMonitorPeriod: 6s\nNodeLifecycleController: {}\n',
      'ClusterCloudShared:\nNodeLifecycleController: {NodeMonitorPeriod: 6s}\n',
    ],
    [
      'KubeCloudShared: { NodeMonitorPeriod: 6s, ClusterName: a }\nNodeLifecycleController:\n  NodeEvictionRate: 0.1\n',
      'ClusterCloudShared: { ClusterName: a }\nNodeLifecycleController:\n  NodeMonitorPeriod: 6s\n  NodeEvictionRate: 0.1\n',
    ],
  ])('is moved into and out of braces: %j', (before, after) => expect(moved(before)).toBe(after));

  it.each([
    [
      undefined,
      [
        ['ClusterName', 'a'],
        ['NodeMonitorPeriod', '6s'],
      ],
    ],
    [
      { NodeEvictionRate: 0.1 },
      [
        ['NodeMonitorPeriod', '6s'],
        ['ClusterName', 'a'],
      ],
    ],
    [{}, [['NodeMonitorPeriod', '6s']]],
  ])('is moved in JSON of either layout, next to %j', (NodeLifecycleController, shared) => {
    const [apiVersion, kind] = ['kubecontrollermanager.config.k8s.io/v1alpha1', 'KubeControllerManagerConfiguration'];
    const values = { apiVersion, kind, NodeLifecycleController, KubeCloudShared: Object.fromEntries(shared) };
    for (const space of [0, 2]) {
      const { text = '', problems } = convertSpelling(JSON.stringify(values, undefined, space), 'current');
      expect(problems).toEqual([]);
      const { NodeMonitorPeriod: _moved, ...ClusterCloudShared } = values.KubeCloudShared;
      expect(JSON.parse(text)).toEqual({
        apiVersion: apiVersion.replace('kube', 'cluster'),
        kind: kind.replace('Kube', 'Cluster'),
        NodeLifecycleController: { NodeMonitorPeriod: '6s', ...NodeLifecycleController },
        ClusterCloudShared,
      });
      expect(text.split('\n').filter((line) => line.trim() === '' || line.includes(', '))).toEqual([]);
    }
  });

  it.each([
    ['KubeCloudShared:\n  NodeMonitorPeriod: 6s # why\nNodeLifecycleController: {NodeEvictionRate: 0.1}\n'],
    ['KubeCloudShared: {NodeMonitorPeriod: 6s, # why\n ClusterName: a}\n'],
    ['KubeCloudShared: {NodeMonitorPeriod:\n 6s}\n'],
    ['KubeCloudShared: {&k NodeMonitorPeriod: 6s}\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod:\n    6s\n'],
    ['KubeCloudShared:\n  NodeMonitorPeriod: *p\nNodeLifecycleController:\n  NodeStartupGracePeriod: &p 6s\n'],
  ])('stays and is reported in %j', (body) => {
    const remarks = left(body);
    expect(remarks).toHaveLength(1);
  });

  it('stays if aliases would change their meaning', () => {
    const body =
      'KubeCloudShared:\n  NodeMonitorPeriod: &p 6s\nNodeLifecycleController:\n  NodeEvictionRate: 0.1\nHPAController:\n  HorizontalPodAutoscalerSyncPeriod: *p\n';
    expect(left(body)).toEqual([]);
    const turned =
      'NodeLifecycleController:\n  NodeEvictionRate: 0.1\nGeneric:\n  MinResyncPeriod: &p 9h\nKubeCloudShared:\n  NodeMonitorPeriod: *p\n';
    expect(left(turned)).toEqual(['8:3 is NodeLifecycleController.NodeMonitorPeriod now, and cannot be moved there automatically']);
    expect(convertSpelling(HEAD + turned, 'current').text).toBe(NOW + turned.replace('Kube', 'Cluster'));
  });

  it('stays if the new field is set too', () => {
    expect(left('KubeCloudShared:\n  NodeMonitorPeriod: 6s\nNodeLifecycleController:\n  NodeMonitorPeriod: 7s\n')).toEqual([
      '4:3 is NodeLifecycleController.NodeMonitorPeriod now, which is also set and takes precedence; remove this one',
    ]);
  });

  it('stays if it is null', () => {
    const body = 'KubeCloudShared:\n  NodeMonitorPeriod:\n';
    expect(convertSpelling(HEAD + body, 'current')).toEqual({ text: NOW + body.replace('Kube', 'Cluster'), problems: [] });
  });

  it('stays when converting to older names', () => {
    const body = 'ClusterCloudShared:\n  NodeMonitorPeriod: 6s\n';
    expect(convertSpelling(NOW + body, 'old')).toEqual({ text: HEAD + body.replace('Cluster', 'Kube'), problems: [] });
  });

  it('is moved without changing the meaning of anything else', () => {
    const documentsOf = (text: string) => {
      const loaded = parseConfig(text);
      return loaded.valid ? loaded.documents : loaded.partial;
    };
    const shared = fc.subarray(
      [['NodeMonitorPeriod', '6s'] as const, ['ClusterName', 'a # b'], ['ClusterCIDR', '10.0.0.0/8'], ['NodeSyncPeriod', '5s']],
      {
        minLength: 1,
      },
    );
    const holder = fc.constantFrom(undefined, null, {}, { NodeEvictionRate: 0.2 }, { NodeEvictionRate: 0.2, UnhealthyZoneThreshold: 0.6 });
    const order = fc.shuffledSubarray(['KubeCloudShared', 'NodeLifecycleController', 'JobController'], { minLength: 3 });
    const printers = [
      printYaml,
      ([value]: readonly unknown[]) => JSON.stringify(value),
      ([value]: readonly unknown[]) => JSON.stringify(value, undefined, 2),
    ];
    fc.assert(
      fc.property(shared, holder, order, fc.constantFrom(...printers), fc.boolean(), (fields, lifecycle, names, print, hasEnd) => {
        const [apiVersion, kind] = ['kubecontrollermanager.config.k8s.io/v1alpha1', 'KubeControllerManagerConfiguration'];
        const parts = new Map<string, unknown>([
          ['KubeCloudShared', Object.fromEntries(fields)],
          ['NodeLifecycleController', lifecycle],
          ['JobController', { ConcurrentJobSyncs: 6 }],
        ]);
        const whole = print([{ apiVersion, kind, ...Object.fromEntries(names.map((name) => [name, parts.get(name)])) }]);
        const text = hasEnd ? whole : whole.trimEnd();
        const converted = convertSpelling(text, 'current');
        expect(compareDocuments(documentsOf(text), documentsOf(converted.text ?? ''))).toEqual([]);
        const old = parseConfig(converted.text ?? '').problems.filter(({ reason }) => reason === 'OldSpelling');
        expect(old.map(({ path }) => path)).toEqual(converted.problems.map(({ path }) => path));
        // Next to a null in JSON there is no place to insert.
        if (lifecycle !== null) expect(converted.problems).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
