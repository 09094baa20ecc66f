import { describe, expect, it } from '@jest/globals';
import { documentOf } from '../config-document.ts';
import { parseConfig } from '../load-config.ts';

const migration = (version: string, fields: string): string =>
  `apiVersion: controllermanager.config.k8s.io/${version}\nkind: LeaderMigrationConfiguration\nleaderName: l\n${fields}`;

const problemsOf = (text: string): string[] =>
  parseConfig(text).problems.map(({ line, column, severity, reason, path, message }) =>
    [`${line}:${column}`, severity, reason, path, message].join(' '),
  );

describe('versions of a kind', () => {
  it('v1 always uses a lease as lock', () => {
    const loaded = parseConfig(migration('v1', 'controllerLeaders: [{name: node-route-controller, component: "*"}]'));
    expect(loaded).toMatchObject({ valid: true, problems: [] });
    const document = loaded.valid ? documentOf(loaded.documents, 'LeaderMigrationConfiguration') : undefined;
    expect(document?.config.resourceLock).toBe('leases');
    expect(document?.isSet('resourceLock')).toBe(false);
  });

  it.each(['leases', '"leases"', 'endpoints', ''])('v1 knows no resourceLock: %s', (lock) => {
    expect(problemsOf(migration('v1', `resourceLock: ${lock}`))).toEqual([
      '4:1 error UnknownField resourceLock is not a field of version v1, where it is always leases',
    ]);
  });

  it.each(['v1alpha1', 'v1beta1'])('%s has one, and needs it', (version) => {
    expect(problemsOf(migration(version, '')).filter((problem) => problem.includes('error'))).toEqual([
      '1:1 error Missing resourceLock must be set to leases',
    ]);
    expect(problemsOf(migration(version, 'resourceLock: leases')).filter((problem) => problem.includes('error'))).toEqual([]);
  });

  it('apply to nested kinds too', () => {
    const within = (version: string) =>
      `apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1
kind: ClusterControllerManagerConfiguration
Generic:
  LeaderMigrationEnabled: true
  LeaderMigration: {apiVersion: controllermanager.config.k8s.io/${version}, leaderName: l}
`;
    expect(problemsOf(within('v1'))).toEqual([]);
    expect(problemsOf(within('v1alpha1'))).toEqual(['5:20 error Missing Generic.LeaderMigration.resourceLock must be set to leases']);
  });

  it('are the expected ones', () => {
    expect(problemsOf(migration('v2', ''))).toEqual([
      expect.stringContaining('1:1 error Missing resourceLock'),
      expect.stringContaining('1:13 error WrongApiVersion apiVersion'),
    ]);
  });
});
