/** A registry with a garbage collector, and objects that own each other. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { isStatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import { createGarbageCollector } from '../../pkg/controllers/garbagecollector/create-garbage-collector.ts';
import type { GarbageCollector } from '../../pkg/controllers/garbagecollector/garbage-collector.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import type { ObjectStore } from '../../pkg/registry/object-store.ts';
import type { Registry, ServedKind } from '../../pkg/registry/registry.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import {
  everything,
  kindNamed,
  never,
  openTestRegistry,
  pageBytes,
  plainDelete,
  readNewest,
  reread,
  sample,
  servedNamed,
  storeOf,
  write,
} from '../registry/test-registry.ts';
import { waitFor } from '../support/wait.ts';

export type Policy = 'Foreground' | 'Background' | 'Orphan';

/** An owner as a reference names it. */
export type Owner = Pick<KubernetesObject, 'kind' | 'apiVersion' | 'metadata'>;

export interface NewObject {
  readonly kind?: string;
  readonly namespace?: string;
  readonly owners?: readonly JsonObject[];
  readonly finalizers?: readonly string[];
}

export const HOLD = 'example.com/hold';

export const referenceTo = ({ kind, apiVersion, metadata: { name = '', uid = '' } }: Owner, more: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  name,
  uid,
  ...more,
});

export class OwnershipWorld {
  readonly registry: Registry;
  readonly #collector: GarbageCollector | undefined;

  /** `collector` absent: nobody collects. */
  constructor(registry: Registry, collector?: GarbageCollector) {
    this.registry = registry;
    this.#collector = collector;
  }

  static async open(backend: Backend, { metrics }: { readonly metrics?: Metrics } = {}): Promise<OwnershipWorld> {
    const registry = await openTestRegistry(backend, { identity: randomBytes(8).toString('hex') });
    const collector = createGarbageCollector({ registry, clock: systemClock, random: randomBytes, log: silentLog, metrics });
    registry.lead('garbage collector', collector.lead);
    return new OwnershipWorld(registry, collector);
  }

  close(): Promise<void> {
    return this.registry.close();
  }

  served(kind: string): ServedKind {
    return servedNamed(this.registry, kind);
  }

  store(kind: string): ObjectStore {
    return storeOf(this.registry, kind);
  }

  async create(
    name: string,
    { kind = 'ControllerRevision', namespace = 'a', owners, finalizers }: NewObject = {},
  ): Promise<KubernetesObject> {
    const object = sample(kind, { name, ...(owners && { ownerReferences: owners }), ...(finalizers && { finalizers }) });
    const inNamespace = kindNamed(kind).definition.namespaced ? namespace : '';
    return reread((await this.store(kind).create(inNamespace, object, write)).object);
  }

  async delete({ kind, metadata }: KubernetesObject, propagationPolicy?: Policy): Promise<void> {
    await this.store(kind).delete(nameOf(metadata), { ...plainDelete, ...(propagationPolicy && { propagationPolicy }) });
  }

  async patch({ kind, metadata }: KubernetesObject, change: (metadata: KubernetesObject['metadata']) => JsonObject): Promise<void> {
    await this.store(kind).update(
      nameOf(metadata),
      '',
      {
        by: 'patch',
        patch: ({ object, revision }) => ({
          ...object,
          metadata: { ...object.metadata, ...change(object.metadata), resourceVersion: String(revision) },
        }),
      },
      write,
    );
  }

  setOwners(object: KubernetesObject, owners: readonly JsonObject[]): Promise<void> {
    return this.patch(object, () => ({ ownerReferences: owners.length === 0 ? undefined : owners }));
  }

  /** Lets go what `HOLD` keeps. */
  release(object: KubernetesObject): Promise<void> {
    return this.patch(object, ({ finalizers = [] }) => ({ finalizers: finalizers.filter((each) => each !== HOLD) }));
  }

  /** Undefined: it is gone. */
  async read({ kind, metadata }: KubernetesObject): Promise<KubernetesObject | undefined> {
    try {
      const object = await readNewest(this.store(kind), nameOf(metadata));
      return object.metadata.uid === metadata.uid ? object : undefined;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async list(kind: string): Promise<readonly KubernetesObject[]> {
    const page = await this.store(kind).list(everything, never);
    return JSON.parse((await pageBytes(page)).toString()) as KubernetesObject[];
  }

  /** The collector has done everything that follows from earlier writes. */
  async settle(): Promise<void> {
    const isSettled = async () => (await this.registry.watchCache.isFresh()) && this.#collector?.isIdle === true;
    await waitFor(async () => (await isSettled()) && (await isSettled()), { what: 'the collector to settle', everyMs: 1 });
  }
}

const nameOf = ({ namespace = '', name = '' }: KubernetesObject['metadata']) => ({ namespace, name });
