import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '../load-config.ts';
import { compareDocuments } from './compare-documents.ts';

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
const MIGRATION =
  'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';

function documentsOf(text: string) {
  const loaded = parseConfig(text);
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  return loaded.documents;
}

const compared = (a: string, b: string) =>
  compareDocuments(documentsOf(a), documentsOf(b)).map(({ path, before, after }) => [path, before, after]);

describe('compareDocuments', () => {
  it('reports differences by path, and ignores notation', () => {
    const old = HEAD.replace('clusterc', 'kubec').replace('ClusterC', 'KubeC');
    expect(
      compared(
        `${HEAD}JobController: {ConcurrentJobSyncs: 5}\nGeneric: {MinResyncPeriod: 720m}\nClusterCloudShared: {ClusterName: a}\n`,
        `${old}KubeCloudShared: {ClusterName: b}\nJobController: {ConcurrentJobSyncs: 6}\n`,
      ),
    ).toEqual([
      ['ClusterCloudShared.ClusterName', 'a', 'b'],
      ['JobController.ConcurrentJobSyncs', 5, 6],
    ]);
  });

  it('reports the suffix of the group', () => {
    // Defaults that contain a group also have the suffix.
    expect(compared(HEAD, HEAD.replace('k8s.io', 'example.org'))).toMatchObject([
      ['apiVersion', 'clustercontrollermanager.config.k8s.io/v1alpha1', 'clustercontrollermanager.config.example.org/v1alpha1'],
      ['GarbageCollectorController.GCIgnoredResources[1]', { Group: 'events.k8s.io' }, undefined],
      ['GarbageCollectorController.GCIgnoredResources[1]', undefined, { Group: 'events.example.org' }],
    ]);
  });

  it('reports elements of lists with their index in the list that has them', () => {
    const list = (...items: string[]) => `${HEAD}Generic: {Controllers: ${JSON.stringify(items)}}\n`;
    expect(compared(list('*', '-ttl', '-job', '-cronjob'), list('*', '-cronjob', '-daemonset'))).toEqual([
      ['Generic.Controllers[1]', '-ttl', undefined],
      ['Generic.Controllers[2]', '-job', undefined],
      ['Generic.Controllers[2]', undefined, '-daemonset'],
    ]);
    expect(compared(HEAD, list('*', '-ttl'))).toEqual([['Generic.Controllers[1]', undefined, '-ttl']]);
  });

  it('matches objects in lists by name, and other elements by value', () => {
    const leaders = (...leaderList: readonly object[]) => `${MIGRATION}controllerLeaders: ${JSON.stringify(leaderList)}\n`;
    const [route, service] = ['node-route-controller', 'service-lb-controller'].map((name) => ({ name, component: '*' }));
    expect(compared(leaders(route ?? {}, service ?? {}), leaders({ ...service, component: 'cloud-controller-manager' }))).toEqual([
      ['controllerLeaders[0]', route, undefined],
      ['controllerLeaders[0].component', '*', 'cloud-controller-manager'],
    ]);
    const ignored = (resource: string) => `${HEAD}GarbageCollectorController: {GCIgnoredResources: [{Resource: ${resource}}]}\n`;
    expect(compared(ignored('events'), ignored('leases'))).toEqual([
      ['GarbageCollectorController.GCIgnoredResources[0]', { Group: '', Resource: 'events' }, undefined],
      ['GarbageCollectorController.GCIgnoredResources[0]', undefined, { Group: '', Resource: 'leases' }],
    ]);
  });

  it('reports a document that only one file has once, with its values other than defaults', () => {
    const { apiVersion, kind } = { apiVersion: 'controllermanager.config.k8s.io/v1alpha1', kind: 'LeaderMigrationConfiguration' };
    const whole = { apiVersion, kind, leaderName: 'l', resourceLock: 'leases' };
    expect(compared(HEAD, `${HEAD}---\n${MIGRATION}`)).toEqual([['', undefined, whole]]);
    expect(compared(`${MIGRATION}---\n${HEAD}`, HEAD)).toEqual([['', whole, undefined]]);
  });
});
