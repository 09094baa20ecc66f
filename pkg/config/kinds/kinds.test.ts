/**
 * All configuration kinds of the specification, field by field. Reading, defaults, rules and schemas must agree with
 * this table.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { CLOUD_HEAD, CLUSTER_HEAD, MIGRATION_HEAD } from '../../../test/support/judged-config.ts';
import { decimal, duration, flag, formerly, int, list, object, OBJECT, path as file, text } from '../../../test/support/config-fields.ts';
import type { FieldSample } from '../../../test/support/config-fields.ts';
import { parseConfig } from '../load-config.ts';
import type { LoadedConfig } from '../load-config.ts';
import { CONFIG_SHAPES } from './kinds.gen.ts';

type Fields = Readonly<Record<string, FieldSample>>;

interface KindTable {
  /** Where the object occurs: the document head and the path, with `[]` for a new list element. */
  readonly at: readonly (readonly [head: string, path: string])[];
  readonly fields: Fields;
  /** Other fields to set in the same object. */
  readonly beside?: object;
}

const CLUSTER = CLUSTER_HEAD;
const CLOUD = CLOUD_HEAD;
const inCluster = (fields: Fields, path: string): KindTable => ({ at: [[CLUSTER, path]], fields });
const inBoth = (fields: Fields, path: string): KindTable => ({
  at: [
    [CLUSTER, path],
    [CLOUD, path],
  ],
  fields,
});
const RANGES = { good: ['10.0.0.0/16', 'fd00::/108'], badByRule: ['10.0.0.0', '10.0.0.0/33', 'x', '10.0.0.0-10.0.0.9'] };
const RECYCLER = 'PersistentVolumeBinderController.VolumeConfiguration.PersistentVolumeRecyclerConfiguration';
const SIGNER_FILE: FieldSample = { ...file(), good: [['/etc/file'], ['relative/file']] };

const KINDS: Readonly<Record<string, KindTable>> = {
  CloudControllerManagerConfiguration: {
    at: [[CLOUD, '']],
    fields: {
      Generic: object(),
      ClusterCloudShared: object('KubeCloudShared'),
      NodeController: object(),
      NodeLifecycleController: object(),
      ServiceController: object(),
      NodeStatusUpdateFrequency: duration('5m0s'),
      Webhook: object(),
    },
  },
  ClusterControllerManagerConfiguration: {
    at: [[CLUSTER, '']],
    fields: {
      Generic: object(),
      ClusterCloudShared: object('KubeCloudShared'),
      AttachDetachController: object(),
      CSRSigningController: object(),
      DaemonSetController: object(),
      DeploymentController: object(),
      DisruptionController: object(),
      StatefulSetController: object(),
      DeprecatedController: object(),
      EndpointController: object(),
      EndpointSliceController: object(),
      EndpointSliceMirroringController: object(),
      EphemeralVolumeController: object(),
      GarbageCollectorController: object(),
      HPAController: object(),
      JobController: object(),
      CronJobController: object(),
      LegacySATokenCleaner: object(),
      NamespaceController: object(),
      NodeIPAMController: object(),
      NodeLifecycleController: object(),
      PersistentVolumeBinderController: object(),
      PodGCController: object(),
      ReplicaSetController: object(),
      ReplicationController: object(),
      ResourceQuotaController: object(),
      SAController: object(),
      ServiceController: object(),
      TTLAfterFinishedController: object(),
      ValidatingAdmissionPolicyStatusController: object(),
      DeviceTaintEvictionController: object(),
      ResourceClaimController: object(),
    },
  },
  LeaderMigrationConfiguration: {
    at: [[MIGRATION_HEAD, '']],
    beside: { leaderName: 'l', resourceLock: 'leases' },
    fields: {
      leaderName: { ...text('', { good: ['1-20-to-1-21'], badByRule: ['', 'My Lock'] }), good: [['1-20-to-1-21']] },
      resourceLock: { ...text(''), good: [['leases'], ['endpoints']], bad: ['configmaps', 'Leases', 5] },
      controllerLeaders: list([], [{ name: 'service-lb-controller', component: '*' }], [[5], ['x']]),
    },
  },
  ControllerLeaderConfiguration: {
    at: [
      [MIGRATION_HEAD, 'controllerLeaders[]'],
      [CLUSTER, 'Generic.LeaderMigration.controllerLeaders[]'],
      [CLOUD, 'Generic.LeaderMigration.controllerLeaders[]'],
    ],
    beside: { name: 'service-lb-controller', component: '*' },
    fields: {
      name: { ...text(''), good: [['node-route-controller'], ['job-controller'], ['route']], bad: ['', 'none-controller', 5] },
      component: {
        ...text(''),
        good: [['*'], ['kube-controller-manager'], ['cloud-controller-manager'], ['cluster-controller-manager']],
        bad: ['', 'kubelet', '-', 5],
      },
    },
  },
  GenericControllerManagerConfiguration: inBoth(
    {
      Port: int(0, 0, 65535),
      Address: text('0.0.0.0', { good: ['127.0.0.1', '::1'], badByRule: ['localhost', '1.2.3.4:80', '[::1]'] }),
      MinResyncPeriod: duration('12h0m0s'),
      ClientConnection: object(),
      ControllerStartInterval: duration('0s', '0s'),
      LeaderElection: object(),
      Controllers: list(['*'], ['*', '-service', 'node-route-controller'], [[5]], [['']]),
      Debugging: object(),
      LeaderMigrationEnabled: flag(false),
      LeaderMigration: object(),
    },
    'Generic',
  ),
  ClientConnectionConfiguration: inBoth(
    {
      clusterconfig: formerly('kubeconfig', file()),
      acceptContentTypes: text('', { good: ['application/json'] }),
      contentType: text('application/vnd.kubernetes.protobuf', { good: ['application/json'] }),
      qps: decimal(20, 0),
      burst: int(30, 0),
    },
    'Generic.ClientConnection',
  ),
  DebuggingConfiguration: inBoth({ enableProfiling: flag(true), enableContentionProfiling: flag(false) }, 'Generic.Debugging'),
  LeaderElectionConfiguration: inBoth(
    {
      leaderElect: flag(true),
      leaseDuration: { ...duration('15s'), good: [['15s'], ['1m', '1m0s']], bad: [5, '5', true], badByRule: ['0s', '-1s', '999ms'] },
      renewDeadline: {
        ...duration('10s'),
        good: [['10s'], ['14.9s'], ['2.401s']],
        bad: [5, '5', true],
        badByRule: ['0s', '15.1s', '2.4s'],
      },
      retryPeriod: { ...duration('2s'), good: [['2s'], ['1ns']], bad: [5, '5', true], badByRule: ['0s', '-1s'] },
      resourceLock: text('leases', { badByRule: ['endpoints', 'configmaps', 'endpointsleases'] }),
      resourceName: { ...text('', { good: ['my-lock'], badByRule: ['', 'My Lock'] }), good: [['my-lock']] },
      resourceNamespace: text('kube-system', { good: ['default'], badByRule: ['', 'a.b'] }),
    },
    'Generic.LeaderElection',
  ),
  ClusterCloudSharedConfiguration: inBoth(
    {
      CloudProvider: object(),
      ExternalCloudVolumePlugin: text('', { good: ['x'] }),
      UseServiceAccountCredentials: flag(false),
      AllowUntaggedCloud: flag(false),
      RouteReconciliationPeriod: duration('10s'),
      ClusterName: text('kubernetes', { good: ['production'] }),
      ClusterCIDR: text('', {
        good: [...RANGES.good, '10.0.0.0/16,fd00::/48'],
        badByRule: [...RANGES.badByRule, '10.0.0.0/16,10.1.0.0/16'],
      }),
      AllocateNodeCIDRs: { ...flag(false), good: [[false]] },
      CIDRAllocatorType: text('RangeAllocator', {
        good: ['CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud'],
        bad: ['', 'Any', 'rangeallocator'],
      }),
      ConfigureCloudRoutes: flag(true),
      NodeSyncPeriod: duration('0s', '0s'),
    },
    'ClusterCloudShared',
  ),
  CloudProviderConfiguration: inBoth(
    { Name: text('', { good: ['external'] }), CloudConfigFile: file() },
    'ClusterCloudShared.CloudProvider',
  ),
  WebhookConfiguration: { at: [[CLOUD, 'Webhook']], fields: { Webhooks: list([], ['*', 'a', '-b'], [[5]]) } },
  NodeControllerConfiguration: {
    at: [[CLOUD, 'NodeController']],
    fields: { ConcurrentNodeSyncs: int(1, 1), ConcurrentNodeStatusUpdates: int(0, 0) },
  },
  ServiceControllerConfiguration: inBoth({ ConcurrentServiceSyncs: int(1, 1) }, 'ServiceController'),
  AttachDetachControllerConfiguration: inCluster(
    {
      DisableAttachDetachReconcilerSync: flag(false),
      ReconcilerSyncLoopPeriod: duration('1m0s', '1s'),
      disableForceDetachOnTimeout: flag(false),
    },
    'AttachDetachController',
  ),
  CSRSigningConfiguration: {
    at: [
      'NodeAgentServingSignerConfiguration',
      'NodeAgentClientSignerConfiguration',
      'ClusterAPIServerClientSignerConfiguration',
      'LegacyUnknownSignerConfiguration',
    ].map((signer) => [CLUSTER, `CSRSigningController.${signer}`]),
    beside: { CertFile: 'c', KeyFile: 'k' },
    fields: { CertFile: SIGNER_FILE, KeyFile: SIGNER_FILE },
  },
  CSRSigningControllerConfiguration: {
    at: [[CLUSTER, 'CSRSigningController']],
    fields: {
      ClusterSigningCertFile: { ...file(), good: [['']] },
      ClusterSigningKeyFile: { ...file(), good: [['']] },
      NodeAgentServingSignerConfiguration: object('KubeletServingSignerConfiguration'),
      NodeAgentClientSignerConfiguration: object('KubeletClientSignerConfiguration'),
      ClusterAPIServerClientSignerConfiguration: object('KubeAPIServerClientSignerConfiguration'),
      LegacyUnknownSignerConfiguration: object(),
      ClusterSigningDuration: duration('8760h0m0s'),
    },
  },
  CronJobControllerConfiguration: inCluster({ ConcurrentCronJobSyncs: int(5, 1) }, 'CronJobController'),
  DaemonSetControllerConfiguration: inCluster({ ConcurrentDaemonSetSyncs: int(2, 1) }, 'DaemonSetController'),
  DeploymentControllerConfiguration: inCluster({ ConcurrentDeploymentSyncs: int(5, 1) }, 'DeploymentController'),
  DeprecatedControllerConfiguration: inCluster({}, 'DeprecatedController'),
  DeviceTaintEvictionControllerConfiguration: inCluster({ ConcurrentSyncs: int(10, 1) }, 'DeviceTaintEvictionController'),
  DisruptionControllerConfiguration: inCluster({ ConcurrentDisruptionSyncs: int(1, 1) }, 'DisruptionController'),
  EndpointControllerConfiguration: inCluster(
    { ConcurrentEndpointSyncs: int(5, 1), EndpointUpdatesBatchPeriod: duration('0s', '0s') },
    'EndpointController',
  ),
  EndpointSliceControllerConfiguration: inCluster(
    {
      ConcurrentServiceEndpointSyncs: int(5, 1, 50),
      MaxEndpointsPerSlice: int(100, 1, 1000),
      EndpointUpdatesBatchPeriod: duration('0s', '0s'),
    },
    'EndpointSliceController',
  ),
  EndpointSliceMirroringControllerConfiguration: inCluster(
    {
      MirroringConcurrentServiceEndpointSyncs: int(5, 1, 50),
      MirroringMaxEndpointsPerSubset: int(1000, 1, 1000),
      MirroringEndpointUpdatesBatchPeriod: duration('0s', '0s'),
    },
    'EndpointSliceMirroringController',
  ),
  EphemeralVolumeControllerConfiguration: inCluster({ ConcurrentEphemeralVolumeSyncs: int(5, 1) }, 'EphemeralVolumeController'),
  GarbageCollectorControllerConfiguration: inCluster(
    {
      EnableGarbageCollector: flag(true),
      ConcurrentGCSyncs: int(20, 1),
      GCIgnoredResources: list(
        [
          { Group: '', Resource: 'events' },
          { Group: 'events.k8s.io', Resource: 'events' },
        ],
        [{ Group: 'apps', Resource: 'deployments' }],
        [['events'], [{ Kind: 'x' }]],
      ),
    },
    'GarbageCollectorController',
  ),
  GroupResource: inCluster(
    { Group: text('', { good: ['apps'] }), Resource: text('', { good: ['pods'] }) },
    'GarbageCollectorController.GCIgnoredResources[]',
  ),
  HPAControllerConfiguration: inCluster(
    {
      ConcurrentHorizontalPodAutoscalerSyncs: int(5, 1),
      HorizontalPodAutoscalerSyncPeriod: duration('15s'),
      HorizontalPodAutoscalerDownscaleStabilizationWindow: duration('5m0s'),
      HorizontalPodAutoscalerTolerance: decimal(0.1, 0),
      HorizontalPodAutoscalerCPUInitializationPeriod: duration('5m0s'),
      HorizontalPodAutoscalerInitialReadinessDelay: duration('30s'),
    },
    'HPAController',
  ),
  JobControllerConfiguration: inCluster({ ConcurrentJobSyncs: int(5, 1) }, 'JobController'),
  LegacySATokenCleanerConfiguration: inCluster({ CleanUpPeriod: duration('8760h0m0s') }, 'LegacySATokenCleaner'),
  NamespaceControllerConfiguration: inCluster(
    { NamespaceSyncPeriod: duration('5m0s'), ConcurrentNamespaceSyncs: int(10, 1) },
    'NamespaceController',
  ),
  NodeIPAMControllerConfiguration: inCluster(
    {
      ServiceCIDR: text('', RANGES),
      SecondaryServiceCIDR: { ...text('', RANGES), good: [['']] },
      NodeCIDRMaskSize: int(0, 0, 128),
      NodeCIDRMaskSizeIPv4: int(0, 0, 32),
      NodeCIDRMaskSizeIPv6: int(0, 0, 128),
    },
    'NodeIPAMController',
  ),
  NodeLifecycleControllerConfiguration: inCluster(
    {
      NodeEvictionRate: decimal(0.1, 0),
      SecondaryNodeEvictionRate: decimal(0.01, 0),
      NodeStartupGracePeriod: duration('1m0s'),
      NodeMonitorGracePeriod: { ...duration('50s'), good: [['50s'], ['90s', '1m30s'], ['5.001s']], badByRule: ['5s', '1s'] },
      PodEvictionTimeout: duration('5m0s'),
      LargeClusterSizeThreshold: int(50, 0),
      UnhealthyZoneThreshold: decimal(0.55, 0, 1),
      NodeMonitorPeriod: duration('5s'),
    },
    'NodeLifecycleController',
  ),
  PersistentVolumeBinderControllerConfiguration: inCluster(
    { PVClaimBinderSyncPeriod: duration('15s'), VolumeConfiguration: object() },
    'PersistentVolumeBinderController',
  ),
  PersistentVolumeRecyclerConfiguration: inCluster(
    {
      MaximumRetry: int(3, 0),
      MinimumTimeoutNFS: int(300, 1),
      PodTemplateFilePathNFS: file(),
      IncrementTimeoutNFS: int(30, 0),
      PodTemplateFilePathHostPath: file(),
      MinimumTimeoutHostPath: int(60, 1),
      IncrementTimeoutHostPath: int(30, 0),
    },
    RECYCLER,
  ),
  PodGCControllerConfiguration: inCluster({ TerminatedPodGCThreshold: int(12500) }, 'PodGCController'),
  ReplicaSetControllerConfiguration: inCluster({ ConcurrentRSSyncs: int(5, 1) }, 'ReplicaSetController'),
  ReplicationControllerConfiguration: inCluster({ ConcurrentRCSyncs: int(5, 1) }, 'ReplicationController'),
  ResourceClaimControllerConfiguration: inCluster({ ConcurrentSyncs: int(50, 1) }, 'ResourceClaimController'),
  ResourceQuotaControllerConfiguration: inCluster(
    { ResourceQuotaSyncPeriod: duration('5m0s'), ConcurrentResourceQuotaSyncs: int(5, 1) },
    'ResourceQuotaController',
  ),
  SAControllerConfiguration: inCluster(
    { ServiceAccountKeyFile: file(), ConcurrentSATokenSyncs: int(5, 1), RootCAFile: file() },
    'SAController',
  ),
  StatefulSetControllerConfiguration: inCluster({ ConcurrentStatefulSetSyncs: int(5, 1) }, 'StatefulSetController'),
  TTLAfterFinishedControllerConfiguration: inCluster({ ConcurrentTTLSyncs: int(5, 1) }, 'TTLAfterFinishedController'),
  // The specification names these three without their fields.
  CloudNodeLifecycleControllerConfiguration: {
    at: [[CLOUD, 'NodeLifecycleController']],
    fields: { NodeMonitorPeriod: duration('5s'), ConcurrentNodeLifecycleSyncs: int(1, 1) },
  },
  ValidatingAdmissionPolicyStatusControllerConfiguration: inCluster(
    { ConcurrentPolicySyncs: int(5, 1) },
    'ValidatingAdmissionPolicyStatusController',
  ),
  VolumeConfiguration: inCluster(
    {
      EnableHostPathProvisioning: flag(false),
      EnableDynamicProvisioning: flag(true),
      PersistentVolumeRecyclerConfiguration: object(),
      FlexVolumePluginDir: file('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'),
    },
    'PersistentVolumeBinderController.VolumeConfiguration',
  ),
};

/** Fields whose default depends on the component. */
const DEFAULTS_OF_COMPONENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Generic.LeaderElection.resourceName': { [CLUSTER]: 'kube-controller-manager', [CLOUD]: 'cloud-controller-manager' },
};

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true, inlineRefs: false });
const folder = path.resolve(import.meta.dirname, '../../../schemas/config');
const kindOf = (head: string): string => /kind: (\w+)/.exec(head)?.[1] ?? '';
const schemas = new Map(
  [...[CLUSTER, CLOUD, MIGRATION_HEAD].map(kindOf), 'document'].map((name) => [
    name,
    ajv.compile(JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as object),
  ]),
);

interface Place {
  readonly table: KindTable;
  readonly head: string;
  readonly path: string;
}

/** The document that sets `fields` at the place. */
function documentOf({ head, path: place, table }: Place, fields: object): object {
  const identity = Object.fromEntries(
    head
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const [name = '', value = ''] = line.split(': ');
        return [name, value];
      }),
  );
  const wrap = (steps: readonly string[], value: object): object => {
    const [step, ...rest] = steps;
    if (step === undefined) return value;
    const inner = wrap(rest, value);
    return step.endsWith('[]') ? { [step.slice(0, -2)]: [inner] } : { [step]: inner };
  };
  // A migration that sets anything must set its lock.
  const lock = head === MIGRATION_HEAD && place !== '' ? { leaderName: 'l', resourceLock: 'leases' } : {};
  return { ...identity, ...lock, ...wrap(place === '' ? [] : place.split('.'), { ...table.beside, ...fields }) };
}

const fullPath = ({ path: place }: Place, field: string): string => (place === '' ? field : `${place.replaceAll('[]', '[0]')}.${field}`);

/** Errors at the path or below it. */
const errorsOf = ({ problems }: LoadedConfig, within: string): string[] =>
  problems.flatMap(({ severity, path: at, message }) =>
    severity === 'error' && at.startsWith(within) && /^($|[.[])/.test(within === '' ? '' : at.slice(within.length)) ? [message] : [],
  );

interface Read {
  readonly errors: readonly string[];
  readonly value: unknown;
}

function readAt(place: Place, field: string, fields: object): Read {
  const loaded = parseConfig(JSON.stringify(documentOf(place, fields)));
  const [document] = loaded.valid ? loaded.documents : loaded.partial;
  const steps = fullPath(place, field).split(/[.[\]]+/);
  return {
    errors: errorsOf(loaded, fullPath(place, field)),
    value: steps.reduce<unknown>((value, step) => memberOf(value, step), document?.config),
  };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;

/** Whether the schema of the kind, and that of any document, accept it. */
const schemasTake = (place: Place, fields: object): boolean[] =>
  [kindOf(place.head), 'document'].map((name) => schemas.get(name)?.(documentOf(place, fields)) === true);

describe.each(Object.entries(KINDS))('%s', (name, table) => {
  const places = table.at.map(([head, at]): Place => ({ table, head, path: at }));

  it('has these fields', () => {
    const known = CONFIG_SHAPES[name]?.fields.filter(({ movedTo }) => movedTo === undefined).map((field) => field.name);
    expect(known).toEqual(Object.keys(table.fields));
  });

  it.each(places)('may be empty: $path', (place) => {
    expect(errorsOf(parseConfig(JSON.stringify(documentOf(place, {}))), place.path.replaceAll('[]', '[0]'))).toEqual([]);
    expect(schemasTake(place, {})).toEqual([true, true]);
  });

  it.each(places)('has no other fields: $path', (place) => {
    expect(readAt(place, 'Other', { Other: 1 }).errors).toEqual([`is not a field of ${name}`]);
    expect(schemasTake(place, { Other: 1 })).toEqual([false, false]);
  });

  const fields = places.flatMap((place) =>
    Object.entries(table.fields).map(([field, sample]) => ({ place, field, sample, at: fullPath(place, field) })),
  );
  if (fields.length === 0) return;

  it.each(fields)('$at has its default', ({ place, field, sample, at }) => {
    const fallback = DEFAULTS_OF_COMPONENTS[at]?.[place.head] ?? sample.default;
    const said = { [field]: null };
    expect(readAt(place, field, said).value).toEqual(fallback === OBJECT ? expect.any(Object) : fallback);
    const isRequired = Object.hasOwn(table.beside ?? {}, field) && name !== 'CSRSigningConfiguration';
    if (!isRequired) expect(schemasTake(place, said)).toEqual([true, true]);
  });

  // The same object at other places is read with the same table.
  const once = fields.filter(({ place }) => place === places[0]);

  it.each(once)('$at accepts valid values', ({ place, field, sample }) => {
    for (const [written, read = written] of sample.good) {
      expect({ written, ...readAt(place, field, { [field]: written }) }).toEqual({ written, errors: [], value: read });
      expect([written, schemasTake(place, { [field]: written })]).toEqual([written, [true, true]]);
    }
  });

  it.each(once)('$at rejects other values', ({ place, field, sample }) => {
    for (const written of [...sample.bad, ...sample.badByRule]) {
      expect({ written, errors: readAt(place, field, { [field]: written }).errors }).toEqual({
        written,
        errors: expect.arrayContaining([expect.any(String)]),
      });
    }
    for (const written of sample.bad) {
      expect([written, schemasTake(place, { [field]: written })]).toEqual([written, [false, false]]);
    }
  });

  const renamed = fields.filter(({ sample }) => sample.oldName !== undefined);
  if (renamed.length === 0) return;

  it.each(renamed)('$at is accepted under its older name, with a warning', ({ place, sample, at }) => {
    const said = documentOf(place, { [sample.oldName ?? '']: null });
    expect(parseConfig(JSON.stringify(said)).problems).toMatchObject([{ path: at, severity: 'warning', reason: 'OldSpelling' }]);
    expect(schemasTake(place, { [sample.oldName ?? '']: null })).toEqual([true, true]);
  });
});

describe('the kinds', () => {
  it('are the expected ones', () => expect(Object.keys(KINDS).sort()).toEqual(Object.keys(CONFIG_SHAPES).sort()));

  it('are the 44 of the specification, with 159 fields, and three without fields', () => {
    expect(Object.keys(KINDS)).toHaveLength(44 + 3);
    const [onlyNamed, specified] = Object.entries(KINDS).reduce(
      ([left, right], [name, { fields }]) => {
        const count = Object.keys(fields).length;
        return /^(CloudNodeLifecycle|ValidatingAdmissionPolicyStatus|Volume)/.test(name) ? [left + count, right] : [left, right + count];
      },
      [0, 0],
    );
    expect([onlyNamed, specified]).toEqual([7, 159]);
  });
});
