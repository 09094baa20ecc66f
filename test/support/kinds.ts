/** The six kinds as a client sees them: their paths (specification, section 4.3), a small valid object, and a valid change to it. */

export interface KindCase {
  readonly kind: string;
  readonly group: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** A subresource named by the specification. */
  readonly statusSubresource: boolean;
  readonly deleteReturnsObject: boolean;
  /** A PUT of an object that does not exist creates it. */
  readonly putCreates: boolean;
  /** A PUT without resourceVersion is taken. */
  readonly putWithoutVersion: boolean;
  /** What `metadata.generation` is after a create that sent none, and after a change by `change`. */
  readonly generations: readonly [number | undefined, number | undefined];
  /** Names of objects that the server makes itself. */
  readonly madeByServer: readonly string[];
  readonly sample: (name: string, namespace: string) => SampleObject;
  /** The same object with another accepted value in it; never the same twice in a row for different `step`. */
  readonly change: (object: SampleObject, step: number) => SampleObject;
}

export interface SampleObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly [field: string]: unknown;
}

export const collectionPath = ({ apiVersion, resource, namespaced }: KindCase, namespace: string): string =>
  namespaced ? `/apis/${apiVersion}/namespaces/${namespace}/${resource}` : `/apis/${apiVersion}/${resource}`;
export const itemPath = (kind: KindCase, namespace: string, name: string): string => `${collectionPath(kind, namespace)}/${name}`;
export const everywherePath = ({ apiVersion, resource }: KindCase): string => `/apis/${apiVersion}/${resource}`;
/** The `/watch/` form of any of the paths above. */
export const watchPath = ({ apiVersion }: KindCase, path: string): string =>
  `/apis/${apiVersion}/watch${path.slice(`/apis/${apiVersion}`.length)}`;

const relabel = (object: SampleObject, step: number): SampleObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...(object.metadata['labels'] as object | undefined), step: String(step) } },
});
const plain = { statusSubresource: false, deleteReturnsObject: false, putCreates: false, putWithoutVersion: true, madeByServer: [] };
const metadata = (name: string, namespace: string) => ({ name, namespace });

export const STORAGE_VERSION: KindCase = {
  ...plain,
  kind: 'StorageVersion',
  group: 'internal.apiserver.k8s.io',
  apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
  resource: 'storageversions',
  namespaced: false,
  putWithoutVersion: false,
  generations: [undefined, undefined],
  madeByServer: [
    'apps.controllerrevisions',
    'batch.cronjobs',
    'events.k8s.io.events',
    'internal.apiserver.k8s.io.storageversions',
    'policy.poddisruptionbudgets',
    'storage.k8s.io.volumeattachments',
  ],
  sample: (name) => ({
    kind: 'StorageVersion',
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    metadata: { name: `batch.${name}` },
    spec: {},
  }),
  change: relabel,
};

export const VOLUME_ATTACHMENT: KindCase = {
  ...plain,
  kind: 'VolumeAttachment',
  group: 'storage.k8s.io',
  apiVersion: 'storage.k8s.io/v1',
  resource: 'volumeattachments',
  namespaced: false,
  deleteReturnsObject: true,
  putWithoutVersion: false,
  generations: [undefined, undefined],
  sample: (name) => ({
    kind: 'VolumeAttachment',
    apiVersion: 'storage.k8s.io/v1',
    metadata: { name },
    spec: { attacher: 'block.csi.example.com', source: { persistentVolumeName: 'pv-1' }, nodeName: 'worker-1' },
  }),
  change: relabel,
};

export const CONTROLLER_REVISION: KindCase = {
  ...plain,
  kind: 'ControllerRevision',
  group: 'apps',
  apiVersion: 'apps/v1',
  resource: 'controllerrevisions',
  namespaced: true,
  generations: [undefined, undefined],
  sample: (name, namespace) => ({
    kind: 'ControllerRevision',
    apiVersion: 'apps/v1',
    metadata: metadata(name, namespace),
    data: { spec: { replicas: 3 } },
    revision: 1,
  }),
  change: (object, step) => ({ ...object, revision: 100 + step }),
};

export const CRON_JOB: KindCase = {
  ...plain,
  kind: 'CronJob',
  group: 'batch',
  apiVersion: 'batch/v1',
  resource: 'cronjobs',
  namespaced: true,
  statusSubresource: true,
  generations: [1, 2],
  sample: (name, namespace) => ({
    kind: 'CronJob',
    apiVersion: 'batch/v1',
    metadata: metadata(name, namespace),
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/work:1.0' }] } } },
      },
    },
  }),
  change: (object, step) => ({ ...object, spec: { ...(object['spec'] as object), startingDeadlineSeconds: 100 + step } }),
};

export const POD_DISRUPTION_BUDGET: KindCase = {
  ...plain,
  kind: 'PodDisruptionBudget',
  group: 'policy',
  apiVersion: 'policy/v1',
  resource: 'poddisruptionbudgets',
  namespaced: true,
  statusSubresource: true,
  putWithoutVersion: false,
  generations: [1, 2],
  sample: (name, namespace) => ({
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    metadata: metadata(name, namespace),
    spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
  }),
  change: (object, step) => ({ ...object, spec: { ...(object['spec'] as object), minAvailable: 1 + step } }),
};

export const EVENT: KindCase = {
  ...plain,
  kind: 'Event',
  group: 'events.k8s.io',
  apiVersion: 'events.k8s.io/v1',
  resource: 'events',
  namespaced: true,
  putCreates: true,
  generations: [undefined, undefined],
  sample: (name, namespace) => ({
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: metadata(name, namespace),
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Schedule',
    note: 'a job was created',
    eventTime: '2026-11-20T10:11:12.123456Z',
    reportingController: 'cronjob-controller',
    reportingInstance: 'cronjob-controller-0',
    regarding: { apiVersion: 'batch/v1', kind: 'CronJob', namespace, name: 'nightly' },
  }),
  change: (object, step) => ({ ...object, series: { count: 2 + step, lastObservedTime: '2026-11-20T10:12:12.000001Z' } }),
};

export const KINDS: readonly KindCase[] = [STORAGE_VERSION, VOLUME_ATTACHMENT, CONTROLLER_REVISION, CRON_JOB, POD_DISRUPTION_BUDGET, EVENT];
