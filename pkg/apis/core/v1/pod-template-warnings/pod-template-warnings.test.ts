import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, PodSpec, PodTemplateSpec, Volume, VolumeProjection } from '../types.gen.ts';
import { warnOfPodTemplate } from './pod-template-warnings.ts';

type Pod = Unchecked<PodSpec>;

const warningsOf = (template: Unchecked<PodTemplateSpec>) => warnOfPodTemplate(template, FieldPath.of('T'));
const ofPod = (spec: Pod) => warningsOf({ spec });
const containers = (...list: readonly Unchecked<Container>[]): Pod => ({ containers: list });
const ports = (...list: NonNullable<Unchecked<Container>['ports']>): Pod => containers({ ports: list });

describe('Of a pod template', () => {
  it('nothing is said when there is none, or nothing odd in it', () => {
    expect(warnOfPodTemplate(undefined, FieldPath.of('T'))).toEqual([]);
    expect(warningsOf({})).toEqual([]);
    const resources = { limits: { cpu: '100m', memory: '4M', 'ephemeral-storage': '4G' }, requests: { memory: '4000m' } };
    expect(
      warningsOf({
        metadata: { annotations: { a: 'b' } },
        spec: {
          nodeSelector: { 'kubernetes.io/arch': 'amd64' },
          hostAliases: [{ ip: '10.0.0.1' }, { ip: '2001:db8::1' }],
          imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
          terminationGracePeriodSeconds: 0,
          overhead: resources.limits,
          topologySpreadConstraints: [{ labelSelector: {} }],
          volumes: [
            { name: 'a', emptyDir: {} },
            { name: 'b', configMap: { items: [{ path: 'a/b' }, { path: 'a.b' }, { path: 'a/bc' }] } },
          ],
          initContainers: [{ name: 'c', resources, ports: [{ containerPort: 1, protocol: 'TCP' }] }],
          containers: [
            {
              name: 'a',
              env: [
                { name: 'A', value: '1' },
                { name: 'A', value: '$(A) 2' },
              ],
              ports: [{ containerPort: 1, protocol: 'UDP' }],
            },
            {
              name: 'b',
              ports: [
                { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
                { containerPort: 80, hostPort: 80, hostIP: '10.0.0.2' },
              ],
            },
          ],
        },
      }),
    ).toEqual([]);
  });

  it.each<[string, Pod, readonly string[]]>([
    [
      'node labels of old',
      {
        nodeSelector: {
          'beta.kubernetes.io/arch': 'a',
          'beta.kubernetes.io/os': 'a',
          'failure-domain.beta.kubernetes.io/region': 'a',
          'failure-domain.beta.kubernetes.io/zone': 'a',
          'beta.kubernetes.io/instance-type': 'a',
          'app.kubernetes.io/created-by': 'a',
          'scheduler.alpha.kubernetes.io/preferAvoidPods': 'a',
          'node-role.kubernetes.io/master': 'a',
          constructor: 'a',
        },
      },
      [
        'T.spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
        'T.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'T.spec.nodeSelector[failure-domain.beta.kubernetes.io/region]: deprecated since v1.17; use "topology.kubernetes.io/region" instead',
        'T.spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
        'T.spec.nodeSelector[beta.kubernetes.io/instance-type]: deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
        'T.spec.nodeSelector[app.kubernetes.io/created-by]: deprecated since v1.9',
        'T.spec.nodeSelector[scheduler.alpha.kubernetes.io/preferAvoidPods]: deprecated since v1.22; use Taints and Tolerations instead',
        'T.spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      ],
    ],
    [
      'node affinity',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', values: ['-1'] }, { key: 'beta.kubernetes.io/os' }] }],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              { preference: { matchExpressions: [{ key: 'beta.kubernetes.io/arch', values: ['a', '-1'] }] } },
            ],
          },
        },
      },
      [
        'T.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
        'T.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
        "T.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[1]: -1 is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [
      'spreading',
      { topologySpreadConstraints: [{ topologyKey: 'beta.kubernetes.io/arch' }] },
      [
        'T.spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
        'T.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
    ...(['podAffinity', 'podAntiAffinity'] as const).map((field): [string, Pod, readonly string[]] => [
      field,
      {
        affinity: {
          [field]: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }, { topologyKey: 'a' }],
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }, { podAffinityTerm: { labelSelector: {} } }],
          },
        },
      },
      [
        `T.spec.affinity.${field}.requiredDuringSchedulingIgnoredDuringExecution[1].labelSelector: a null labelSelector results in matching no pod`,
        `T.spec.affinity.${field}.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod`,
      ],
    ]),
    [
      'host aliases',
      { hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }, { ip: '2001:DB8:0:0::1' }] },
      [
        'T.spec.hostAliases[1].ip: duplicate ip "10.0.0.1"',
        'T.spec.hostAliases[2].ip: IPv6 address "2001:DB8:0:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    ],
    [
      'name servers',
      { dnsConfig: { nameservers: ['10.0.0.1', '0:0::1'] } },
      ['T.spec.dnsConfig.nameservers[1]: IPv6 address "0:0::1" should be in RFC 5952 canonical format ("::1")'],
    ],
    [
      'pull secrets',
      { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] },
      ['T.spec.imagePullSecrets[1].name: duplicate name "a"', 'T.spec.imagePullSecrets[2].name: invalid empty name ""'],
    ],
    [
      'a grace period below zero',
      { terminationGracePeriodSeconds: -1 },
      ['T.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'],
    ],
    [
      'fractions of bytes',
      {
        overhead: { memory: '4m', 'ephemeral-storage': '1500m', cpu: '1m' },
        containers: [{ resources: { limits: { memory: '4m', cpu: '1m' }, requests: { 'ephemeral-storage': '4m' } } }],
      },
      [
        'T.spec.overhead[memory]: fractional byte value "4m" is invalid, must be an integer',
        'T.spec.overhead[ephemeral-storage]: fractional byte value "1500m" is invalid, must be an integer',
        'T.spec.containers[0].resources.limits[memory]: fractional byte value "4m" is invalid, must be an integer',
        'T.spec.containers[0].resources.requests[ephemeral-storage]: fractional byte value "4m" is invalid, must be an integer',
      ],
    ],
    [
      'variables that hide one another',
      {
        initContainers: [
          {
            env: [
              { name: 'a', value: 'a' },
              { name: 'a', value: '$(a) $(a)' },
              { name: 'a', valueFrom: {} },
            ],
          },
        ],
        containers: [{ env: [{ name: 'b' }, { name: 'b', value: 'other' }, { name: 'b' }, { name: 'b', value: '$(b)' }] }],
      },
      [
        'T.spec.initContainers[0].env[2]: hides previous definition of "a", which may be dropped when using apply',
        'T.spec.containers[0].env[1]: hides previous definition of "b", which may be dropped when using apply',
        'T.spec.containers[0].env[2]: hides previous definition of "b", which may be dropped when using apply',
        'T.spec.containers[0].env[3]: hides previous definition of "b", which may be dropped when using apply',
      ],
    ],
    [
      'an address without a port of the node',
      ports({ containerPort: 80, protocol: 'TCP', hostIP: '10.0.0.1' }),
      ['T.spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}'],
    ],
    [
      'the same port twice',
      { initContainers: [{ ports: [{ containerPort: 80 }] }], containers: [{ ports: [{ containerPort: 80 }] }] },
      ['T.spec.containers[0].ports[0]: duplicate port definition with T.spec.initContainers[0].ports[0]'],
    ],
    [
      'ports that overlap',
      ports({ containerPort: 80, hostPort: 1 }, { containerPort: 80 }),
      ['T.spec.containers[0].ports[1]: overlapping port definition with T.spec.containers[0].ports[0]'],
    ],
    [
      'ports that are ambiguous',
      ports({ containerPort: 80, hostPort: 1 }, { containerPort: 80, hostPort: 1, hostIP: '10.0.0.1' }),
      ['T.spec.containers[0].ports[1]: dangerously ambiguous port definition with T.spec.containers[0].ports[0]'],
    ],
    [
      'the name of a port twice',
      containers({ ports: [{ name: 'a', containerPort: 1 }] }, { ports: [{ name: 'a', containerPort: 2 }] }),
      [
        'T.spec.containers[1].ports[0]: duplicate port name "a" with T.spec.containers[0].ports[0], services and probes that select ports by name will use T.spec.containers[0].ports[0]',
      ],
    ],
  ])('%s', (_, spec, warnings) => {
    expect(ofPod(spec)).toEqual(warnings);
  });

  it('no more is said than can be sent, however much there is', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const spec: Pod = {
      containers: [{ ports: many.map((index) => ({ containerPort: 80, hostPort: index + 1 })), env: many.map(() => ({ name: 'a' })) }],
      volumes: [{ name: 'a', secret: { items: many.map((index) => ({ path: `${'a/'.repeat(index % 7)}b` })) } }],
    };
    const before = performance.now();
    expect(ofPod(spec)).toHaveLength(400);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('Of annotations', () => {
  const annotated = (annotations: Readonly<Record<string, string>>, spec: Pod = containers({ name: 'a' })) =>
    warningsOf({ metadata: { annotations }, spec });
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/a';
  const seccomp = 'container.seccomp.security.alpha.kubernetes.io/a';
  const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';

  it.each([
    ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
    ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
    ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
    [seccompOfPod, 'non-functional in v1.27+; use the "seccompProfile" field instead'],
    [seccomp, 'non-functional in v1.27+; use the "seccompProfile" field instead'],
    [appArmor, 'deprecated since v1.30; use the "appArmorProfile" field instead'],
  ])('%s', (key, why) => {
    expect(annotated({ [key]: 'unconfined' })).toEqual([`T.metadata.annotations[${key}]: ${why}`]);
  });

  it('nothing is said where the field is given too', () => {
    const profile = { type: 'Unconfined' };
    const both = { securityContext: { seccompProfile: profile, appArmorProfile: profile } };
    const all = { [seccompOfPod]: 'unconfined', [seccomp]: 'unconfined', [appArmor]: 'unconfined' };
    expect(annotated(all, { ...both, containers: [{ name: 'a', ...both }] })).toEqual([]);
    expect(annotated({ [seccomp]: 'unconfined', [appArmor]: 'unconfined' }, containers({ name: 'b' }))).toEqual([]);
  });

  it.each([
    ['Unconfined', undefined, 'unconfined', 0],
    ['RuntimeDefault', undefined, 'runtime/default', 0],
    ['Localhost', 'x', 'localhost/x', 0],
    ['Localhost', 'x', 'localhost/y', 1],
    ['Unconfined', undefined, 'runtime/default', 1],
  ])("a container's AppArmor annotation beside the pod's profile %s %s: %s", (type, localhostProfile, annotation, warnings) => {
    const appArmorProfile = localhostProfile === undefined ? { type } : { type, localhostProfile };
    const spec = { securityContext: { appArmorProfile }, containers: [{ name: 'a' }] };
    expect(annotated({ [appArmor]: annotation }, spec)).toHaveLength(warnings);
  });
});

describe('Of volumes', () => {
  it.each<[keyof Volume, string]>([
    ['photonPersistentDisk', 'photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
    ['gitRepo', 'gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
    ['scaleIO', 'scaleIO: deprecated in v1.16, non-functional in v1.22+'],
    ['flocker', 'flocker: deprecated in v1.22, non-functional in v1.25+'],
    ['storageos', 'storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ['quobyte', 'quobyte: deprecated in v1.22, non-functional in v1.25+'],
    ['glusterfs', 'glusterfs: deprecated in v1.25, non-functional in v1.26+'],
    ['cephfs', 'cephfs: deprecated in v1.28, non-functional in v1.31+'],
    ['rbd', 'rbd: deprecated in v1.28, non-functional in v1.31+'],
  ])('%s', (source, text) => {
    expect(
      ofPod({
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', [source]: {} },
        ],
      }),
    ).toEqual([`T.spec.volumes[1].${text}`]);
  });

  it('fractions of bytes that are claimed', () => {
    const resources = { requests: { storage: '1m' }, limits: { storage: '1500m' } };
    const at = 'T.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources';
    expect(ofPod({ volumes: [{ ephemeral: { volumeClaimTemplate: { spec: { resources } } } }] })).toEqual([
      `${at}.requests[storage]: fractional byte value "1m" is invalid, must be an integer`,
      `${at}.limits[storage]: fractional byte value "1500m" is invalid, must be an integer`,
    ]);
  });

  const files = (...paths: readonly string[]) => paths.map((path) => ({ path }));
  const projected = (...sources: readonly Unchecked<VolumeProjection>[]): Unchecked<Volume> => ({ name: 'v', projected: { sources } });
  it.each<[Unchecked<Volume>, readonly string[]]>([
    [{ name: 'v', configMap: { name: 'c', items: files('a', 'b', 'a') } }, ['volume "v" (ConfigMap "c"): overlapping paths: "a" with "a"']],
    [{ name: 'v', configMap: { name: 'c', items: files('a', 'a/b') } }, ['volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"']],
    [{ name: 'v', configMap: { name: 'c', items: files('a/b', 'a/') } }, ['volume "v" (ConfigMap "c"): overlapping paths: "a" with "a/b"']],
    [{ name: 'v', secret: { secretName: 's', items: files('a', 'a') } }, ['volume "v" (Secret "s"): overlapping paths: "a" with "a"']],
    [{ name: 'v', downwardAPI: { items: files('a', 'a') } }, ['volume "v" (DownwardAPI): overlapping paths: "a" with "a"']],
    [{ name: 'v', configMap: { items: files('', '', 'a-b', 'a', 'ab', 'b/a') } }, []],
    [projected({}, { secret: {} }), ['volume "v" (Projected) has no sources provided']],
    [
      projected({ configMap: { name: 'c', items: files('a') } }, { serviceAccountToken: { path: 'a/b' } }),
      ['volume "v" (Projected): overlapping paths: "a/b" (ServiceAccountToken) with "a" (ConfigMap "c")'],
    ],
    [
      projected(
        { clusterTrustBundle: { signerName: 'x', path: 'a/b' } },
        { downwardAPI: { items: files('a') } },
        { secret: { name: 's', items: files('a') } },
        { clusterTrustBundle: { name: 'n', path: 'b' } },
      ),
      [
        'volume "v" (Projected): overlapping paths: "a" (DownwardAPI) with "a/b" (ClusterTrustBundle "x")',
        'volume "v" (Projected): overlapping paths: "a" (Secret "s") with "a/b" (ClusterTrustBundle "x")',
        'volume "v" (Projected): overlapping paths: "a" (Secret "s") with "a" (DownwardAPI)',
      ],
    ],
    [
      projected({ podCertificate: { certificateChainPath: 'a', keyPath: 'a', credentialBundlePath: 'a/b' } }),
      [
        'volume "v" (Projected): overlapping paths: "a" (PodCertificate key) with "a" (PodCertificate chain)',
        'volume "v" (Projected): overlapping paths: "a/b" (PodCertificate credential bundle) with "a" (PodCertificate chain)',
        'volume "v" (Projected): overlapping paths: "a/b" (PodCertificate credential bundle) with "a" (PodCertificate key)',
      ],
    ],
  ])('%j', (volume, warnings) => {
    expect(ofPod({ volumes: [volume] })).toEqual(warnings);
  });
});
