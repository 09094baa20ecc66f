import { describe, expect, it } from '@jest/globals';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, EnvVarSource, PodSpec, PodTemplateSpec, Probe, Volume } from '../types.gen.ts';
import { withPodTemplateDefaults } from './pod-template-defaults.ts';

type PodTemplate = Unchecked<PodTemplateSpec>;

const POD: Unchecked<PodSpec> = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const CONTAINER: Unchecked<Container> = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};
const PROBE: Unchecked<Probe> = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const pod = (spec: Unchecked<PodSpec>): PodTemplate => ({ spec: { ...POD, ...spec } });
const withContainer = (container: Unchecked<Container>): PodTemplate => pod({ containers: [{ ...CONTAINER, ...container }] });
const withVolume = (volume: Unchecked<Volume>): PodTemplate => pod({ volumes: [volume] });
const withSource = (valueFrom: Unchecked<EnvVarSource>): PodTemplate => withContainer({ env: [{ name: 'A', valueFrom }] });

describe('A pod template', () => {
  it.each<[string, PodTemplate, PodTemplate]>([
    ['without anything', {}, pod({})],
    ['without a pod', { metadata: { labels: { app: 'a' } } }, { metadata: { labels: { app: 'a' } }, ...pod({}) }],
    ['with an empty pod', { spec: {} }, pod({})],
    ['with empty texts', { spec: { restartPolicy: '', dnsPolicy: '', schedulerName: '' } }, pod({})],
    ['with a grace period of 0', { spec: { terminationGracePeriodSeconds: 0 } }, pod({ terminationGracePeriodSeconds: 0 })],
    ['with overhead', { spec: { overhead: { cpu: '1', memory: '1500u' } } }, pod({ overhead: { cpu: '1', memory: '2m' } })],
    [
      'with resources',
      { spec: { resources: { limits: { cpu: '100n' }, requests: { cpu: '1500001u' } } } },
      pod({ resources: { limits: { cpu: '1m' }, requests: { cpu: '1501m' } } }),
    ],
    [
      'with a constraint on its spread',
      { spec: { topologySpreadConstraints: [{ maxSkew: 1 }] } },
      pod({ topologySpreadConstraints: [{ maxSkew: 1 }] }),
    ],
    [
      'with init containers in annotations',
      { metadata: { annotations: { a: 'b', 'pod.beta.kubernetes.io/init-containers': '[]' } } },
      { metadata: { annotations: { a: 'b' } }, ...pod({}) },
    ],
  ])('%s', (_, sent, stored) => {
    expect(withPodTemplateDefaults(sent)).toEqual(stored);
  });

  it.each<[Unchecked<PodSpec>, Unchecked<PodSpec>]>([
    [{ serviceAccountName: 'a' }, { serviceAccountName: 'a', serviceAccount: 'a' }],
    [{ serviceAccount: 'b' }, { serviceAccountName: 'b', serviceAccount: 'b' }],
    [
      { serviceAccountName: '', serviceAccount: 'b' },
      { serviceAccountName: 'b', serviceAccount: 'b' },
    ],
    [
      { serviceAccountName: 'a', serviceAccount: 'b' },
      { serviceAccountName: 'a', serviceAccount: 'a' },
    ],
    [{ serviceAccountName: '' }, { serviceAccountName: '' }],
  ])('has one account under both names: %j', (sent, stored) => {
    expect(withPodTemplateDefaults({ spec: sent })).toEqual(pod(stored));
  });
});

describe.each(['initContainers', 'containers', 'ephemeralContainers'] as const)('Each of %s', (list) => {
  it('gets its defaults', () => {
    expect(withPodTemplateDefaults({ spec: { [list]: [{ name: 'a', image: 'work:1' }] } })).toEqual(
      pod({ [list]: [{ name: 'a', image: 'work:1', ...CONTAINER }] }),
    );
  });
});

describe('A container', () => {
  it.each<[string, Unchecked<Container>, Unchecked<Container>]>([
    ['nothing', {}, {}],
    ['empty texts', { terminationMessagePath: '', terminationMessagePolicy: '', imagePullPolicy: '' }, {}],
    ['no tag', { image: 'work' }, { image: 'work', imagePullPolicy: 'Always' }],
    ['a pull policy', { image: 'work', imagePullPolicy: 'Never' }, { image: 'work', imagePullPolicy: 'Never' }],
    ['a message path', { terminationMessagePath: '/end' }, { terminationMessagePath: '/end' }],
    [
      'ports',
      { ports: [{ containerPort: 80 }, { containerPort: 81, protocol: '' }, { containerPort: 82, protocol: 'UDP' }] },
      {
        ports: [
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 81, protocol: 'TCP' },
          { containerPort: 82, protocol: 'UDP' },
        ],
      },
    ],
    ['empty resources', { resources: {} }, { resources: {} }],
    [
      'fine resources',
      { resources: { limits: { cpu: '1n' }, requests: { cpu: '1500u', memory: '1Gi' } } },
      { resources: { limits: { cpu: '1m' }, requests: { cpu: '2m', memory: '1Gi' } } },
    ],
    ['a limit without a request', { resources: { limits: { cpu: '1' } } }, { resources: { limits: { cpu: '1' } } }],
    ['a probe', { livenessProbe: {} }, { livenessProbe: PROBE }],
    ['a probe', { readinessProbe: {} }, { readinessProbe: PROBE }],
    ['a probe', { startupProbe: {} }, { startupProbe: PROBE }],
    [
      'a probe of zeros',
      { livenessProbe: { timeoutSeconds: 0, periodSeconds: 0, successThreshold: 0, failureThreshold: 0, initialDelaySeconds: 0 } },
      { livenessProbe: { ...PROBE, initialDelaySeconds: 0 } },
    ],
    [
      'a probe of its own numbers',
      { livenessProbe: { timeoutSeconds: 2, periodSeconds: 3, successThreshold: 4, failureThreshold: 5 } },
      { livenessProbe: { timeoutSeconds: 2, periodSeconds: 3, successThreshold: 4, failureThreshold: 5 } },
    ],
    [
      'a probe by HTTP',
      { livenessProbe: { httpGet: { port: 80 } } },
      { livenessProbe: { ...PROBE, httpGet: { port: 80, path: '/', scheme: 'HTTP' } } },
    ],
    [
      'a probe by HTTP with empty texts',
      { livenessProbe: { httpGet: { port: 80, path: '', scheme: '' } } },
      { livenessProbe: { ...PROBE, httpGet: { port: 80, path: '/', scheme: 'HTTP' } } },
    ],
    ['a probe by gRPC', { livenessProbe: { grpc: { port: 80 } } }, { livenessProbe: { ...PROBE, grpc: { port: 80, service: '' } } }],
    [
      'hooks',
      { lifecycle: { postStart: { httpGet: { port: 80 } }, preStop: { httpGet: { port: 80, path: '/bye' }, sleep: { seconds: 1 } } } },
      {
        lifecycle: {
          postStart: { httpGet: { port: 80, path: '/', scheme: 'HTTP' } },
          preStop: { httpGet: { port: 80, path: '/bye', scheme: 'HTTP' }, sleep: { seconds: 1 } },
        },
      },
    ],
  ])('with %s', (_, sent, stored) => {
    expect(withPodTemplateDefaults({ spec: { containers: [sent] } })).toEqual(withContainer(stored));
  });

  it.each<[EnvSource, EnvSource]>([
    [{ fieldRef: { fieldPath: 'metadata.name' } }, { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } }],
    [{ fieldRef: { apiVersion: '' } }, { fieldRef: { apiVersion: 'v1' } }],
    [{ fieldRef: { apiVersion: 'v2' } }, { fieldRef: { apiVersion: 'v2' } }],
    [{ fileKeyRef: { key: 'a' } }, { fileKeyRef: { key: 'a', optional: false } }],
    [{ fileKeyRef: { optional: true } }, { fileKeyRef: { optional: true } }],
    [{ secretKeyRef: { key: 'a' } }, { secretKeyRef: { key: 'a' } }],
    [{ resourceFieldRef: { resource: 'limits.cpu' } }, { resourceFieldRef: { resource: 'limits.cpu' } }],
  ])('with a variable from %j', (sent, stored) => {
    expect(withPodTemplateDefaults(withSource(sent))).toEqual(withSource(stored));
  });
});

type EnvSource = Unchecked<EnvVarSource>;

describe('A volume', () => {
  const fieldRef = { fieldPath: 'metadata.name' };
  it.each<[Unchecked<Volume>, Unchecked<Volume>]>([
    [{ name: 'a' }, { name: 'a', emptyDir: {} }],
    [{}, { emptyDir: {} }],
    [{ emptyDir: { sizeLimit: '100n' } }, { emptyDir: { sizeLimit: '100n' } }],
    [{ secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
    [{ secret: { defaultMode: 0 } }, { secret: { defaultMode: 0 } }],
    [{ configMap: { name: 'c' } }, { configMap: { name: 'c', defaultMode: 420 } }],
    [
      { downwardAPI: { items: [{ path: 'a', fieldRef }, { path: 'b' }] } },
      { downwardAPI: { items: [{ path: 'a', fieldRef: { ...fieldRef, apiVersion: 'v1' } }, { path: 'b' }], defaultMode: 420 } },
    ],
    [
      { projected: { sources: [{ downwardAPI: { items: [{ path: 'a', fieldRef }] } }, { secret: { name: 's' } }] } },
      {
        projected: {
          sources: [{ downwardAPI: { items: [{ path: 'a', fieldRef: { ...fieldRef, apiVersion: 'v1' } }] } }, { secret: { name: 's' } }],
          defaultMode: 420,
        },
      },
    ],
    [
      { projected: { sources: [{ serviceAccountToken: {} }, { serviceAccountToken: { expirationSeconds: 600 } }], defaultMode: 1 } },
      {
        projected: {
          sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }, { serviceAccountToken: { expirationSeconds: 600 } }],
          defaultMode: 1,
        },
      },
    ],
    [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
    [{ hostPath: { type: 'File' } }, { hostPath: { type: 'File' } }],
    [{ iscsi: { lun: 0 } }, { iscsi: { lun: 0, iscsiInterface: 'default' } }],
    [{ iscsi: { iscsiInterface: '' } }, { iscsi: { iscsiInterface: 'default' } }],
    [{ rbd: { image: 'a' } }, { rbd: { image: 'a', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
    [{ rbd: { pool: 'p', user: 'u', keyring: 'k' } }, { rbd: { pool: 'p', user: 'u', keyring: 'k' } }],
    [
      { azureDisk: { diskName: 'd' } },
      { azureDisk: { diskName: 'd', cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' } },
    ],
    [
      { azureDisk: { cachingMode: 'None', fsType: '', readOnly: true, kind: 'Managed' } },
      { azureDisk: { cachingMode: 'None', fsType: '', readOnly: true, kind: 'Managed' } },
    ],
    [{ scaleIO: {} }, { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' } }],
    [{ scaleIO: { storageMode: 'ThickProvisioned', fsType: 'ext4' } }, { scaleIO: { storageMode: 'ThickProvisioned', fsType: 'ext4' } }],
    [{ image: { reference: 'files' } }, { image: { reference: 'files', pullPolicy: 'Always' } }],
    [{ image: { reference: 'files:1', pullPolicy: '' } }, { image: { reference: 'files:1', pullPolicy: 'IfNotPresent' } }],
    [{ ephemeral: {} }, { ephemeral: {} }],
    [{ ephemeral: { volumeClaimTemplate: {} } }, { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } }],
    [
      {
        ephemeral: {
          volumeClaimTemplate: { spec: { volumeMode: 'Block', resources: { requests: { storage: '1u' }, limits: { storage: '1' } } } },
        },
      },
      {
        ephemeral: {
          volumeClaimTemplate: { spec: { volumeMode: 'Block', resources: { requests: { storage: '1m' }, limits: { storage: '1' } } } },
        },
      },
    ],
    [{ persistentVolumeClaim: { claimName: 'c' } }, { persistentVolumeClaim: { claimName: 'c' } }],
  ])('%j', (sent, stored) => {
    expect(withPodTemplateDefaults(withVolume(sent))).toEqual(withVolume(stored));
  });
});
