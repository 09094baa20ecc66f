import { describe, expect, it } from '@jest/globals';
import { causesOfPod, causesOfTemplate, container, podSpec } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodTemplateSpec, Probe } from '../types.gen.ts';

const probe = (handler: Unchecked<Probe>): Unchecked<Probe> => ({
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
  ...handler,
});

/** A template with many fields, defaults filled in. */
const WISHES: Unchecked<PodTemplateSpec> = {
  metadata: {
    labels: { app: 'report', 'app.kubernetes.io/part-of': 'billing' },
    annotations: { 'example.com/Owner': 'billing', 'controller.kubernetes.io/pod-deletion-cost': '100' },
  },
  spec: podSpec({
    restartPolicy: 'Never',
    activeDeadlineSeconds: 3600,
    serviceAccountName: 'report',
    serviceAccount: 'report',
    automountServiceAccountToken: false,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    hostname: 'report',
    subdomain: 'billing',
    priorityClassName: 'batch-low',
    preemptionPolicy: 'Never',
    runtimeClassName: 'gvisor',
    os: { name: 'linux' },
    imagePullSecrets: [{ name: 'registry' }],
    dnsPolicy: 'None',
    dnsConfig: {
      nameservers: ['10.96.0.10', '2001:db8::53'],
      searches: ['billing.svc.cluster.local', '_tcp.example.com.'],
      options: [{ name: 'ndots', value: '2' }],
    },
    hostAliases: [{ ip: '10.0.0.7', hostnames: ['ledger', 'ledger.example.com'] }],
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'batch', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
                { key: 'cores', operator: 'Gt', values: ['3'] },
              ],
              matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node-1'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
        ],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'report' } } } },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        minDomains: 2,
        labelSelector: { matchLabels: { app: 'report' } },
        matchLabelKeys: ['batch'],
      },
    ],
    readinessGates: [{ conditionType: 'example.com/ready' }],
    schedulingGates: [{ name: 'example.com/quota' }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
    resources: { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '4', memory: '2Gi' } },
    overhead: { cpu: '100m', memory: '64Mi' },
    securityContext: {
      runAsUser: 1000,
      runAsGroup: 1000,
      runAsNonRoot: true,
      fsGroup: 2000,
      fsGroupChangePolicy: 'OnRootMismatch',
      supplementalGroups: [3000],
      supplementalGroupsPolicy: 'Strict',
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Localhost', localhostProfile: 'report' },
      sysctls: [{ name: 'net.core.somaxconn', value: '1024' }],
    },
    volumes: [
      { name: 'work', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'settings', configMap: { name: 'report', defaultMode: 0o644, items: [{ key: 'a.yaml', path: 'etc/a.yaml' }] } },
      { name: 'data', persistentVolumeClaim: { claimName: 'ledger' } },
    ],
    initContainers: [
      container({ name: 'fetch', volumeMounts: [{ name: 'work', mountPath: '/work' }] }),
      container({ name: 'log', restartPolicy: 'Always', startupProbe: probe({ httpGet: { path: '/', port: 'http', scheme: 'HTTP' } }) }),
    ],
    containers: [
      container({
        name: 'report',
        command: ['report', '--month=$(MONTH)'],
        env: [
          { name: 'MONTH', value: '2026-10' },
          { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
        ],
        envFrom: [{ prefix: 'DB_', secretRef: { name: 'ledger' } }],
        ports: [{ name: 'metrics', containerPort: 9090, protocol: 'TCP' }],
        resources: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '512Mi' }, claims: [{ name: 'gpu' }] },
        volumeMounts: [
          { name: 'work', mountPath: '/work' },
          { name: 'settings', mountPath: '/etc/report', readOnly: true },
          { name: 'data', mountPath: '/data', subPath: 'ledger' },
        ],
        livenessProbe: probe({ exec: { command: ['true'] } }),
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      }),
    ],
  }),
};

describe('A pod template', () => {
  it('with everything that a client may wish gives no cause', () => {
    expect(causesOfTemplate(WISHES)).toEqual([]);
  });

  it('asks its volumes and its containers', () => {
    const broken = { name: 'v', hostPath: { path: '' } };
    const containers = [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })];
    expect(causesOfPod({ volumes: [broken], containers })).toEqual([
      'Required s.volumes[0].hostPath.path',
      'NotFound s.containers[0].volumeMounts[0].name',
    ]);
    expect(causesOfPod({ containers: [] })).toEqual(['Required s.containers']);
  });

  it('has no ephemeral containers', () => {
    expect(causesOfPod({ ephemeralContainers: [container({ name: 'debug' })] })).toContain('Forbidden s.ephemeralContainers');
    expect(causesOfPod({ ephemeralContainers: [] })).toEqual([]);
  });

  it('reports all that is wrong at once', () => {
    const causes = causesOfTemplate({
      metadata: { labels: { a: 'b c' }, annotations: { 'a b': '' } },
      spec: podSpec({
        restartPolicy: 'x',
        dnsPolicy: 'x',
        nodeName: 'x_y',
        hostAliases: [{ ip: 'x' }],
        tolerations: [{}],
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a' }],
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
        securityContext: { fsGroup: -1 },
        resourceClaims: [{ name: 'a' }],
        overhead: { cpu: '-1' },
        os: { name: 'x' },
        containers: [container({ image: '' })],
      }),
    });
    expect(causes.map((cause) => cause.replace('t.spec.', ''))).toEqual([
      'Invalid t.labels',
      'Invalid t.annotations',
      'Invalid resourceClaims[0]',
      'Required containers[0].image',
      'Invalid overhead.limits[cpu]',
      'NotSupported restartPolicy',
      'Invalid nodeName',
      'NotSupported dnsPolicy',
      'Invalid hostAliases[0].ip',
      'Invalid securityContext.fsGroup',
      'Required affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms',
      'Invalid tolerations[0].operator',
      'NotSupported topologySpreadConstraints[0].whenUnsatisfiable',
      'NotSupported os',
    ]);
  });

  it('costs little more for each of many things in it', () => {
    const many = 20_000;
    const ofEach = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: many }, (_, index) => make(index));
    const started = performance.now();
    const causes = causesOfPod({
      tolerations: ofEach((index) => ({ key: `k${index}`, operator: 'Exists' })),
      schedulingGates: ofEach((index) => ({ name: `g${index}` })),
      topologySpreadConstraints: ofEach((index) => ({ maxSkew: 1, topologyKey: `t${index}`, whenUnsatisfiable: 'DoNotSchedule' })),
      securityContext: { sysctls: ofEach((index) => ({ name: `s${index}`, value: '1' })) },
      resourceClaims: ofEach((index) => ({ name: `c${index}`, resourceClaimName: 'c' })),
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 't',
              labelSelector: {},
              matchLabelKeys: ofEach((index) => `m${index}`),
              mismatchLabelKeys: ofEach((index) => `n${index}`),
            },
          ],
        },
      },
    });
    expect(causes).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
