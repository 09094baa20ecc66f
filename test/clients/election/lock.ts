/** What the candidates run for: a Lease, or a ConfigMap with the same record in an annotation. */
import {
  CoordinationV1Api,
  CoreV1Api,
  makeInformer,
  type KubeConfig,
  type KubernetesObject,
  type ListPromise,
  type V1ConfigMap,
  type V1Lease,
} from '@kubernetes/client-node';

/** The name that every candidate takes. */
const NAME = 'election';
const ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';

export interface LockRecord {
  /** Empty: the last holder gave it up. */
  readonly holder: string;
  readonly leaseMs: number;
  readonly acquiredAt: number;
  readonly renewedAt: number;
  /** Undefined where the client does not count. */
  readonly transitions: number | undefined;
}

export interface Lock {
  /** Every state that it had, oldest first. */
  readonly records: readonly LockRecord[];
  readonly remove: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const at = (time: Date | string | undefined): number => (time === undefined ? 0 : new Date(time).getTime());

const recordOfLease = ({ spec }: V1Lease): LockRecord => ({
  holder: spec?.holderIdentity ?? '',
  leaseMs: (spec?.leaseDurationSeconds ?? 0) * 1000,
  acquiredAt: at(spec?.acquireTime),
  renewedAt: at(spec?.renewTime),
  transitions: spec?.leaseTransitions,
});

interface AnnotatedRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: string;
  readonly acquireTime: string;
  readonly renewTime: string;
}

function recordOfConfigMap({ metadata }: V1ConfigMap): LockRecord {
  const record = JSON.parse(metadata?.annotations?.[ANNOTATION] ?? '{}') as AnnotatedRecord;
  return {
    holder: record.holderIdentity,
    leaseMs: Number(record.leaseDurationSeconds) * 1000,
    acquiredAt: at(record.acquireTime),
    renewedAt: at(record.renewTime),
    transitions: undefined,
  };
}

async function followed<T extends KubernetesObject>(
  config: KubeConfig,
  path: string,
  list: ListPromise<T>,
  recordOf: (object: T) => LockRecord,
): Promise<Pick<Lock, 'records' | 'close'>> {
  const informer = makeInformer(config, path, list);
  const records: LockRecord[] = [];
  for (const verb of ['add', 'update'] as const) {
    informer.on(verb, (object) => {
      if (object.metadata?.name === NAME) records.push(recordOf(object));
    });
  }
  await informer.start();
  return { records, close: () => informer.stop() };
}

export async function followLease(config: KubeConfig, namespace: string): Promise<Lock> {
  const api = config.makeApiClient(CoordinationV1Api);
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const remove = async () => {
    await api.deleteNamespacedLease({ namespace, name: NAME });
  };
  return { ...(await followed(config, path, () => api.listNamespacedLease({ namespace }), recordOfLease)), remove };
}

export async function followConfigMap(config: KubeConfig, namespace: string): Promise<Lock> {
  const api = config.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const remove = async () => {
    await api.deleteNamespacedConfigMap({ namespace, name: NAME });
  };
  return { ...(await followed(config, path, () => api.listNamespacedConfigMap({ namespace }), recordOfConfigMap)), remove };
}
