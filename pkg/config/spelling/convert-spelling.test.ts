import { describe, expect, it } from '@jest/globals';
import { convertSpelling } from './convert-spelling.ts';
import type { ConvertedText } from './convert-spelling.ts';

const OLD = `# ours
apiVersion: "kubecontrollermanager.config.example.org/v1alpha1"   # why
kind: 'KubeControllerManagerConfiguration'
"KubeCloudShared": {ClusterName: kubeconfig}   # KubeCloudShared
Generic:
    ClientConnection:   { kubeconfig: /etc/kubeconfig,}

`;

const CURRENT = `# ours
apiVersion: "clustercontrollermanager.config.example.org/v1alpha1"   # why
kind: 'ClusterControllerManagerConfiguration'
"ClusterCloudShared": {ClusterName: kubeconfig}   # KubeCloudShared
Generic:
    ClientConnection:   { clusterconfig: /etc/kubeconfig,}

`;

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
const MIGRATION = 'apiVersion: controllermanager.config.k8s.io/v1beta1\nkind: LeaderMigrationConfiguration\n';

const said = ({ problems }: ConvertedText) => problems.map(({ line, column, path, reason }) => `${line}:${column} ${reason} ${path}`);

describe('convertSpelling', () => {
  it('replaces names only', () => {
    expect(convertSpelling(OLD, 'current')).toEqual({ text: CURRENT, problems: [] });
    expect(convertSpelling(CURRENT, 'old')).toEqual({ text: OLD, problems: [] });
    expect(convertSpelling(CURRENT, 'current')).toEqual({ text: CURRENT, problems: [] });
  });

  it('keeps line ends, byte order marks and the last line as they are', () => {
    const text = `\u{feff}${OLD.replaceAll('\n', '\r\n')}# end`;
    expect(convertSpelling(text, 'current').text).toBe(`\u{feff}${CURRENT.replaceAll('\n', '\r\n')}# end`);
  });

  it('replaces a name that several aliases share once', () => {
    const text = `${HEAD}CSRSigningController:\n  NodeAgentServingSignerConfiguration: &c {CertFile: a}\n  NodeAgentClientSignerConfiguration: *c\nGeneric:\n  ClientConnection: &d {clusterconfig: a}\n---\n${MIGRATION}`;
    const { text: old = '', problems } = convertSpelling(text, 'old');
    expect(problems).toEqual([]);
    expect(old).toContain('KubeletServingSignerConfiguration: &c {CertFile: a}\n  KubeletClientSignerConfiguration: *c\n');
    expect(old).toContain('&d {kubeconfig: a}');
  });

  it('replaces an older version, and keeps it when converting to older names', () => {
    expect(convertSpelling(MIGRATION, 'current')).toEqual({ text: MIGRATION.replace('v1beta1', 'v1alpha1'), problems: [] });
    expect(convertSpelling(MIGRATION, 'old')).toEqual({ text: MIGRATION, problems: [] });
  });

  it.each([
    ['a tag', HEAD.replace('kind: ', 'kind: !!str '), 'old', '2:13 NotConverted kind'],
    ['an anchor', `${HEAD}&k ClusterCloudShared: {}\n`, 'old', '3:4 NotConverted ClusterCloudShared'],
    [
      'a merge',
      `${HEAD}Generic: {ClientConnection: {<<: {clusterconfig: a}, qps: 5}}\n`,
      'old',
      '3:34 NotConverted Generic.ClientConnection.clusterconfig',
    ],
    [
      'an alias',
      `${HEAD}Generic: {ClientConnection: {contentType: &k clusterconfig, *k : x}}\n`,
      'old',
      '3:61 NotConverted Generic.ClientConnection.clusterconfig',
    ],
    ['a block', HEAD.replace('kind: C', 'kind: |-\n  C'), 'old', '2:7 NotConverted kind'],
  ] as const)('names what stays because of %s', (_, text, to, remark) => {
    expect(said(convertSpelling(text, to))).toEqual([remark]);
  });

  it('reports unreadable parts, and converts the others', () => {
    const converted = convertSpelling(`${CURRENT}Unknown: clusterconfig\nGeneric: {}\n`, 'old');
    expect(converted.text).toBe(`${OLD}Unknown: clusterconfig\nGeneric: {}\n`);
    expect(said(converted)).toEqual(['8:1 UnknownField Unknown', '9:1 DuplicateField Generic']);
  });

  it.each([
    ['kind: [', ['1:8 Syntax ']],
    [`${CURRENT}---\nkind: Nothing\n`, ['9:7 UnknownKind kind']],
  ])('returns no text for %j', (text, remarks) => {
    const converted = convertSpelling(text, 'old');
    expect(converted.text).toBeUndefined();
    expect(said(converted)).toEqual(remarks);
  });
});
