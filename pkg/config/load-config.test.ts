import { describe, expect, it } from '@jest/globals';
import { documentOf } from './config-document.ts';
import { loadConfig, parseConfig } from './load-config.ts';
import type { LoadedConfig } from './load-config.ts';

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
const MIGRATION =
  'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: moving\nresourceLock: leases\n';

/** Formats problems as `line:column severity reason path`. */
const briefly = ({ problems }: LoadedConfig): string[] =>
  problems.map(({ line, column, severity, reason, path }) => `${line}:${column} ${severity} ${reason} ${path}`.trimEnd());

const messages = (text: string): string[] => parseConfig(HEAD + text).problems.map(({ message }) => message);

function clusterConfig(text: string) {
  const loaded = parseConfig(HEAD + text);
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  const document = documentOf(loaded.documents, 'ClusterControllerManagerConfiguration');
  if (document === undefined) throw new Error('there is no such document');
  return document;
}

describe('a loaded configuration', () => {
  it('has the values of the file and all other defaults', () => {
    const { config } = clusterConfig(
      'Generic:\n  LeaderElection:\n    leaseDuration: 30s\nPodGCController:\n  TerminatedPodGCThreshold: -1\n',
    );
    expect(config.Generic.LeaderElection).toEqual({
      leaderElect: true,
      leaseDuration: '30s',
      renewDeadline: '10s',
      retryPeriod: '2s',
      resourceLock: 'leases',
      resourceName: 'kube-controller-manager',
      resourceNamespace: 'kube-system',
    });
    expect(config.PodGCController.TerminatedPodGCThreshold).toBe(-1);
    expect(config.ResourceClaimController.ConcurrentSyncs).toBe(50);
    expect(config.NodeLifecycleController).toMatchObject({ NodeMonitorPeriod: '5s', UnhealthyZoneThreshold: 0.55 });
  });

  it('has the defaults of its component', () => {
    const loaded = parseConfig('apiVersion: cloudcontrollermanager.config.k8s.io/v1alpha1\nkind: CloudControllerManagerConfiguration\n');
    if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
    const config = documentOf(loaded.documents, 'CloudControllerManagerConfiguration')?.config;
    expect(config?.Generic.LeaderElection.resourceName).toBe('cloud-controller-manager');
    expect(config?.NodeLifecycleController).toEqual({ NodeMonitorPeriod: '5s', ConcurrentNodeLifecycleSyncs: 1 });
  });

  it('has the suffix of its group in defaults that contain a group', () => {
    const loaded = parseConfig(HEAD.replace('k8s.io', 'example.org'));
    const config = loaded.valid ? documentOf(loaded.documents, 'ClusterControllerManagerConfiguration')?.config : undefined;
    expect(config?.GarbageCollectorController.GCIgnoredResources).toContainEqual({ Group: 'events.example.org', Resource: 'events' });
    expect(config?.Generic.LeaderMigration.apiVersion).toBe('controllermanager.config.example.org/v1alpha1');
  });

  it('is deeply frozen', () => {
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(clusterConfig('Generic: {Controllers: ["*", "-ttl"]}').config)).toBe(true);
  });

  it('knows which values the file sets, and where', () => {
    const { isSet, positionOf } = clusterConfig('Generic:\n  Controllers:\n    - "*"\n    - -ttl\n  MinResyncPeriod:\n');
    expect(['Generic', 'Generic.Controllers[1]', 'Generic.MinResyncPeriod', 'Generic.Debugging'].map(isSet)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(positionOf('Generic.Controllers[1]')).toEqual({ document: 1, line: 6, column: 7 });
    expect(positionOf('Generic.Debugging.enableProfiling')).toEqual({ document: 1, line: 4, column: 3 });
    expect(positionOf('JobController.ConcurrentJobSyncs')).toEqual({ document: 1, line: 1, column: 1 });
  });

  it('has canonical durations', () => {
    expect(
      clusterConfig('JobController:\nNamespaceController: {NamespaceSyncPeriod: 90m}').config.NamespaceController.NamespaceSyncPeriod,
    ).toBe('1h30m0s');
  });

  it('treats an empty list of controllers as the default', () => {
    expect(clusterConfig('Generic: {Controllers: []}').config.Generic.Controllers).toEqual(['*']);
  });

  it('may be JSON, even indented with tabs', () => {
    const json = JSON.stringify(
      {
        apiVersion: 'clustercontrollermanager.config.k8s.io/v1alpha1',
        kind: 'ClusterControllerManagerConfiguration',
        JobController: { ConcurrentJobSyncs: 7 },
      },
      undefined,
      '\t',
    );
    expect(parseConfig(json)).toMatchObject({ valid: true, documents: [{ config: { JobController: { ConcurrentJobSyncs: 7 } } }] });
  });

  it('resolves anchors, aliases and merge keys', () => {
    const { config } = clusterConfig(
      'CSRSigningController:\n  LegacyUnknownSignerConfiguration: &files {CertFile: a, KeyFile: b}\n  NodeAgentClientSignerConfiguration: {<<: *files, KeyFile: c}\n  NodeAgentServingSignerConfiguration: *files\n',
    );
    expect(config.CSRSigningController).toMatchObject({
      NodeAgentClientSignerConfiguration: { CertFile: 'a', KeyFile: 'c' },
      NodeAgentServingSignerConfiguration: { CertFile: 'a', KeyFile: 'b' },
    });
  });
});

describe('multiple documents', () => {
  it('are counted from 1, including empty ones', () => {
    const loaded = parseConfig(`# nothing\n---\n---\n${HEAD}---\n${MIGRATION}`);
    expect(loaded.valid && loaded.documents.map(({ kind, document }) => [kind, document])).toEqual([
      ['ClusterControllerManagerConfiguration', 2],
      ['LeaderMigrationConfiguration', 3],
    ]);
  });

  it('have different kinds', () => {
    expect(parseConfig(`${MIGRATION}---\n${MIGRATION}`).problems).toMatchObject([
      {
        reason: 'DuplicateKind',
        document: 2,
        line: 6,
        column: 1,
        message: 'this is another LeaderMigrationConfiguration; the first one is document 1',
      },
    ]);
  });

  it('are checked independently, even if one cannot be read', () => {
    expect(briefly(parseConfig(`a: [\n---\n${HEAD}Generic: 5\n`))).toEqual([
      expect.stringMatching(/error Syntax$/),
      '5:10 error WrongType Generic',
    ]);
  });

  it('must be at least one', () => {
    expect(briefly(parseConfig('# only a remark\n'))).toEqual(['1:1 error NoDocument']);
  });
});

describe('common YAML mistakes', () => {
  it.each([
    ['Generic:\n  Controllers: [*, -ttl]\n', '4:17', "a single * needs quotes: '*'"],
    ['Generic:\n  Controllers:\n  - *\n', '5:5', "a single * needs quotes: '*'"],
    ['Generic:\n  Port: 0\n    Address: 0.0.0.0\n', '4:9', 'indented too deep'],
    ['Generic:\n  Address "0.0.0.0"\n  Port: 0\n', '4:3', 'a colon may be missing'],
    ['Generic:\n  Controllers: [a]\n  Address: "0.0.0.0\n  Port: 0\n', '5:12', 'the quote that opens here is not closed'],
    ["Generic:\n  Controllers:\n  - 'ttl\n  - job\n", '5:5', 'the quote that opens here is not closed'],
    ['Generic:\n  Controllers: [a, "ttl]\n', '4:20', 'the quote that opens here is not closed'],
    ['Generic: "\n', '3:10', 'the quote that opens here is not closed'],
  ])('%j', (text, place, hint) => {
    const [{ line, column, message } = { line: 0, column: 0, message: '' }] = parseConfig(HEAD + text).problems;
    expect(`${line}:${column}`).toBe(place);
    expect(message).toContain(hint);
  });
});

describe('a template', () => {
  it.each([
    ['Generic:\n  Port: {{ .Values.port }}\n', 4],
    ['Generic: {}\n{{- if .Values.x }}\nJobController: {}\n{{- end }}\n', 4],
    ['# {{ none }}\nGeneric:\n  {{- toYaml .Values.generic | nindent 2 }}\n', 5],
  ])('is recognized: %j', (text, line) => {
    const [first] = messages(text);
    expect(first).toMatch(new RegExp(`; line ${line} looks like a template: check what it renders to$`));
  });

  it('is not suspected in a valid text, or one with other errors', () => {
    expect(messages('ClusterCloudShared: {ClusterName: "{{ x }}"}')).toEqual([]);
    expect(messages('# {{ x }}\n- a\n')[0]).not.toContain('template');
  });
});

describe('names', () => {
  it('get a suggestion of the nearest known name if unknown', () => {
    expect(parseConfig(`${HEAD}Generic:\n  Adress: 1.2.3.4\n`).problems).toEqual([
      {
        file: '',
        document: 1,
        path: 'Generic.Adress',
        line: 4,
        column: 3,
        severity: 'error',
        reason: 'UnknownField',
        message: 'is not a field of GenericControllerManagerConfiguration; did you mean Address?',
      },
    ]);
  });

  it.each([
    ['Generic: {port: 5}', 'did you mean Port?'],
    ['HpaController: {}', 'did you mean HPAController?'],
    ['leaderElect: true', 'did you mean Generic.LeaderElection.leaderElect?'],
    ['Generic: {leaderElect: true}', 'did you mean Generic.LeaderElection.leaderElect?'],
    ['KubeCloudShred: {}', 'did you mean ClusterCloudShared?'],
  ])('%s: %s', (text, hint) => expect(messages(text)[0]).toContain(hint));

  it.each([
    ['cluster-cidr: 10.0.0.0/8', 'the flag --cluster-cidr is ClusterCloudShared.ClusterCIDR here'],
    ['--leader-elect: true', 'the flag --leader-elect is Generic.LeaderElection.leaderElect here'],
    ['Generic: {controllers: a}', 'did you mean Controllers?'],
    ['controllers: [ttl]', 'the flag --controllers is Generic.Controllers here'],
    [
      'CSRSigningController: {cluster-signing-kubelet-client-key-file: k}',
      ' is CSRSigningController.NodeAgentClientSignerConfiguration.KeyFile here',
    ],
  ])('of flags get a suggestion of their field: %s', (text, hint) => expect(messages(text)[0]).toContain(hint));

  it('of flags of the other component get no suggestion', () => {
    expect(messages('node-status-update-frequency: 5m')).toEqual(['is not a field of ClusterControllerManagerConfiguration']);
  });

  it('far from any known name get no suggestion', () => {
    expect(messages('metadata: {}')).toEqual(['is not a field of ClusterControllerManagerConfiguration']);
    expect(messages('constructor: {}\n__proto__: {}')).toHaveLength(2);
  });

  it('that are repeated are an error at the second place', () => {
    const loaded = parseConfig(`${HEAD}Generic: {}\nJobController: {}\nGeneric: {}\n`);
    expect(loaded.problems).toMatchObject([
      { path: 'Generic', line: 5, column: 1, reason: 'DuplicateField', message: 'is already set in line 3' },
    ]);
  });

  it('in either spelling count as the same', () => {
    expect(messages('KubeCloudShared: {}\nClusterCloudShared: {}')).toContain('is already set in line 3, as KubeCloudShared');
  });

  it('in existing files are accepted, with a warning', () => {
    const old = 'apiVersion: kubecontrollermanager.config.k8s.io/v1alpha1\nkind: KubeControllerManagerConfiguration\n';
    const loaded = parseConfig(
      `${old}KubeCloudShared: {ClusterName: c}\nGeneric: {ClientConnection: {kubeconfig: /k}}\nCSRSigningController:\n  KubeletServingSignerConfiguration: {CertFile: a, KeyFile: b}\n`,
    );
    expect(briefly(loaded)).toEqual([
      '1:13 warning OldSpelling apiVersion',
      '2:7 warning OldSpelling kind',
      '3:1 warning OldSpelling ClusterCloudShared',
      '4:30 warning OldSpelling Generic.ClientConnection.clusterconfig',
      '6:3 warning OldSpelling CSRSigningController.NodeAgentServingSignerConfiguration',
    ]);
    expect(loaded).toMatchObject({
      valid: true,
      documents: [
        {
          kind: 'ClusterControllerManagerConfiguration',
          config: {
            apiVersion: 'clustercontrollermanager.config.k8s.io/v1alpha1',
            ClusterCloudShared: { ClusterName: 'c' },
            Generic: { ClientConnection: { clusterconfig: '/k' } },
            CSRSigningController: { NodeAgentServingSignerConfiguration: { CertFile: 'a', KeyFile: 'b' } },
          },
        },
      ],
    });
  });

  it('of moved fields count at their new place', () => {
    const document = clusterConfig('ClusterCloudShared: {NodeMonitorPeriod: 7s}');
    expect(document.config.NodeLifecycleController.NodeMonitorPeriod).toBe('7s');
    expect(document.config.ClusterCloudShared).not.toHaveProperty('NodeMonitorPeriod');
    expect(document.positionOf('NodeLifecycleController.NodeMonitorPeriod')).toMatchObject({ line: 3, column: 41 });
    expect(
      clusterConfig('ClusterCloudShared: {NodeMonitorPeriod: 7s}\nNodeLifecycleController: {NodeMonitorPeriod: 6s}').config,
    ).toMatchObject({
      NodeLifecycleController: { NodeMonitorPeriod: '6s' },
    });
  });
});

describe('kind and apiVersion', () => {
  it('of a ConfigMap get a hint about its contents', () => {
    expect(parseConfig('apiVersion: v1\nkind: ConfigMap\ndata: {}\n').problems).toMatchObject([
      {
        path: 'kind',
        line: 2,
        reason: 'UnknownKind',
        message: '"ConfigMap" is not a known kind; check each file in its data separately',
      },
    ]);
  });

  it.each([
    ['- 1', ['1:1 error WrongType']],
    ['just words', ['1:1 error WrongType']],
    ['a: 1', ['1:1 error UnknownKind']],
    ['kind: ClusterControlerManagerConfiguration', ['1:7 error UnknownKind kind']],
    ['kind: [LeaderMigrationConfiguration]', ['1:7 error UnknownKind kind']],
    [MIGRATION.replace('v1alpha1', 'v2'), ['1:13 error WrongApiVersion apiVersion']],
    [MIGRATION.replace('controllermanager', 'clustercontrollermanager'), ['1:13 error WrongApiVersion apiVersion']],
    [MIGRATION.replace('.k8s.io', ''), ['1:13 error WrongApiVersion apiVersion']],
    [MIGRATION.replace(/apiVersion.*\n/, ''), ['1:1 error WrongApiVersion']],
    [MIGRATION.replace('v1alpha1', 'v1beta1'), ['1:13 warning OldSpelling apiVersion']],
    [`${MIGRATION}kind: LeaderMigrationConfiguration`, ['5:1 error DuplicateField kind']],
    [`${HEAD}Generic: {LeaderMigration: {kind: Other}}`, ['3:35 error UnknownKind Generic.LeaderMigration.kind']],
  ])('%j', (text, problems) => expect(briefly(parseConfig(text))).toEqual(problems));

  it('may be restricted to one suffix', () => {
    expect(parseConfig(HEAD, { groupSuffix: 'k8s.io' }).valid).toBe(true);
    expect(parseConfig(HEAD, { groupSuffix: 'example.org' }).problems).toMatchObject([
      { reason: 'WrongApiVersion', message: 'the suffix of the group is k8s.io, not example.org' },
    ]);
  });
});

describe('values', () => {
  it.each([
    ['Generic: 5', 'must be an object, not 5'],
    ['Generic: {Controllers: "*"}', 'must be a list, not "*"'],
    ['Generic: {Controllers: [5]}', 'must be a string, not 5; in quotes it is one'],
    ['Generic: {Address: 5}', 'must be a string, not 5; in quotes it is one'],
    ['Generic: {LeaderMigrationEnabled: "true"}', 'must be true or false, not "true"; without quotes it is'],
    ['Generic: {LeaderMigrationEnabled: "No"}', 'must be true or false, not "No"; without quotes it is'],
    ['Generic: {LeaderMigrationEnabled: maybe}', 'must be true or false, not "maybe"'],
    ['Generic:\n  Port:10252', 'must be an object, not "Port:10252"; a space is missing after the colon'],
    ['Generic: {Controllers: "*,-ttl"}', 'must be a list, not "*,-ttl"'],
    [
      'CSRSigningController: {ClusterSigningDuration: 365d}',
      '"365d" is not a duration of at most 292 years; its units are ns, us, ms, s, m and h: a day is 24h',
    ],
    ['JobController: {ConcurrentJobSyncs: "5"}', 'must be a whole number, not "5"; without quotes it is one'],
    ['JobController: {ConcurrentJobSyncs: 5.5}', 'must be a whole number, not 5.5'],
    ['JobController: {ConcurrentJobSyncs: 2147483648}', 'must be from -2147483648 to 2147483647, not 2147483648'],
    ['Generic: {ClientConnection: {qps: .nan}}', 'must be a finite number, not .nan'],
    ['Generic: {ClientConnection: {qps: 1e39}}', '1e39 is too large a number'],
    ['Generic: {MinResyncPeriod: 10}', 'must be a duration, not 10; a duration has units, such as 90s or 1h30m'],
    ['Generic: {MinResyncPeriod: 10 min}', '"10 min" is not a duration of at most 292 years; a duration has units, such as 90s or 1h30m'],
    ['GarbageCollectorController: {GCIgnoredResources: [events]}', 'must be an object, not "events"'],
  ])('%s: %s', (text, message) => expect(messages(text)).toEqual([message]));

  it.each([
    ['Generic: {LeaderMigrationEnabled: yes}', true],
    ['Generic: {LeaderMigrationEnabled: !!bool "true"}', true],
  ])('%s is parsed as in Kubernetes', (text, value) => expect(clusterConfig(text).config.Generic.LeaderMigrationEnabled).toBe(value));

  it('of one field do not hide problems of another', () => {
    expect(briefly(parseConfig(`${HEAD}Generic: {Port: x, Adress: 1}\nJobController: {ConcurrentJobSyncs: 0}\n`))).toEqual([
      '3:17 error WrongType Generic.Port',
      '3:20 error UnknownField Generic.Adress',
      '4:37 error OutOfRange JobController.ConcurrentJobSyncs',
    ]);
  });
});

describe('loadConfig', () => {
  it('names a file that cannot be read', async () => {
    const loaded = await loadConfig({ path: '/nowhere/config.yaml' });
    expect(loaded).toMatchObject({ valid: false, problems: [{ file: '/nowhere/config.yaml', reason: 'Unreadable', severity: 'error' }] });
  });

  it('reports a folder as such', async () => {
    expect(await loadConfig({ path: import.meta.dirname })).toMatchObject({ valid: false, problems: [{ reason: 'Unreadable' }] });
  });

  it('accepts a text and its name', async () => {
    expect(await loadConfig({ text: 'a', file: 'mine.yaml' })).toMatchObject({ valid: false, problems: [{ file: 'mine.yaml' }] });
  });
});
