/**
 * The object stores of all kinds on one backend, with the watch cache and background work that one server does at a
 * time.
 *
 * Not in here: the choice of backend and kinds (cmd), and the checks of requests (server).
 */
import { type AdmissionChain, createAdmissionChain } from '../admission/admission.ts';
import { checkDnsSubdomain } from '../apimachinery/meta/names.ts';
import { createFeatures, type Features } from '../apimachinery/features/features.ts';
import { standardFinalizerCauses, validateObjectMeta, validateObjectMetaUpdate } from '../apimachinery/meta/object-meta.ts';
import { NO_CAUSES } from '../apimachinery/status/causes.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import { createTimeZones, type TimeZones } from '../apimachinery/time/time-zones.ts';
import type { Kind, KubernetesObject, ObjectMeta, ResourceDefinition } from '../apis/kind.ts';
import { isView, renamingOf } from '../apis/kind-view.ts';
import type { Log } from '../observability/logging.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Backend } from '../storage/backend.ts';
import { CacheBudget } from '../watchcache/representations/cache-budget.ts';
import { openWatchCache, type WatchCacheMetrics } from '../watchcache/open-watch-cache.ts';
import type { EntryMemory } from '../watchcache/store/entry-memory.ts';
import type { CachedResource, ResourceCache, WatchCache } from '../watchcache/watch-cache.ts';
import { type CompiledKind, compileKinds } from './compiled-kind.ts';
import { createObjectStore, type ObjectStoreOptions } from './create-object-store.ts';
import { createAttributesReader } from './attributes-reader.ts';
import { KeyQueue } from './key-queue.ts';
import { resourcePrefix } from './keys.ts';
import { BackgroundWork } from './leases/background-work.ts';
import { createCompaction } from './leases/compaction.ts';
import { createExpiry } from './leases/expiry.ts';
import type { Lead } from './leases/lease.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectRules } from './pipeline.ts';
import type { ReadMetrics } from './reads.ts';
import type { StoredCodec } from './stored-object.ts';
import { createTokenSource } from './token-source.ts';
import { createViewStore } from './create-view-store.ts';

/** Maximum time to determine the outcome of a write after a lost reply; then it gets 504. */
const RESOLVE_TIMEOUT_MS = 10_000;
const EXPIRY_SWEEP_MS = 10_000;
const MAX_EXPIRED_PER_SECOND = 1000;

export interface RegistryOptions {
  readonly backend: Backend;
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
  /** Cryptographically random bytes. */
  readonly random: (size: number) => Buffer;
  readonly newUid: () => string;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Default: every feature has the default of its gate. */
  readonly features?: Features;
  /** Default: those of the system, or a built-in list. */
  readonly timeZones?: TimeZones;
  /** The plugins may use the stores from the first request on. Default: none. */
  readonly admission?: (stores: RegistryStores) => AdmissionChain;
  /** Identifies this server to others on the same store. */
  readonly identity: string;
  /** Prefix of annotations of the API machinery. */
  readonly groupSuffix: string;
  readonly eventTtlMs: number;
  /** Whether a garbage collector acts on propagation policies; otherwise they are ignored. Default: true. */
  readonly garbageCollection?: boolean;
  readonly representationCacheBytes: number;
  readonly ringBytes: number;
  /** Memory of the watch cache's entries. Default: an arena. */
  readonly createMemory?: () => EntryMemory;
  /** Maximum unread bytes of a watch. Default: from the watch cache. */
  readonly watchBufferBytes?: number;
  /** Interval of compactions. Absent: the store compacts itself. */
  readonly compactEveryMs?: number;
}

/** A kind or view with its store. */
export interface ServedKind {
  readonly compiled: CompiledKind;
  readonly store: ObjectStore;
  /** Of the stored objects. */
  readonly cache: ResourceCache;
}

export interface RegistryStores {
  /** Undefined when no such resource is served. */
  find(resource: string, group: string): ServedKind | undefined;
}

export interface Registry extends RegistryStores {
  /** Kinds in their order, then views. */
  readonly served: readonly ServedKind[];
  readonly watchCache: WatchCache;
  /** Why reads and writes cannot be served now, in one clause. */
  readonly notReady: string | undefined;
  /**
   * Runs `work` while this server leads those over its store, and not before the watch cache is filled. Begins it again
   * if it throws or ends by itself.
   */
  lead(name: string, work: Lead): void;
  /** Ends watches and background work but leaves the backend open. Can be called twice. */
  close(): Promise<void>;
}

/** Starts immediately; `notReady` is set until the cache is filled. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { backend, kinds, clock, log, random, compactEveryMs } = options;
  const compiled = [...compileKinds(kinds).values()];
  const resources = compiled.filter(({ kind }) => !isView(kind)).map(toCachedResource);
  const watchCache = openWatchCache({
    backend,
    resources,
    clock,
    log,
    initialEventsEnd: `${options.groupSuffix}/initial-events-end`,
    cacheSpace: new CacheBudget(options.representationCacheBytes),
    ringBytes: options.ringBytes,
    ...(options.createMemory === undefined ? {} : { createMemory: options.createMemory }),
    ...(options.watchBufferBytes === undefined ? {} : { maxBehindBytes: options.watchBufferBytes }),
    ...(options.metrics === undefined ? {} : { metrics: toCacheMetrics(options.metrics, kinds) }),
  });
  const filled = watchCache.filled().then(
    () => true,
    () => false,
  );
  const queue = new KeyQueue();
  const newToken = createTokenSource(random);
  const byName = new Map<string, ServedKind>();
  const find: RegistryStores['find'] = (resource, group) => byName.get(resourceName({ resource, group }));
  const admission = options.admission?.({ find }) ?? createAdmissionChain([]);
  const ruleContext = { features: options.features ?? createFeatures(), timeZones: options.timeZones ?? createTimeZones() };
  const readMetrics = options.metrics === undefined ? undefined : toReadMetrics(options.metrics);
  const toStoreOptions = (own: CompiledKind): ObjectStoreOptions => {
    const { kind, stored, fieldManager } = own;
    const { definition } = stored.kind;
    const { encoding } = stored;
    const resourceCache = watchCache.resource(resourceName(definition));
    const codec = toStoredCodec(own);
    const writer = {
      backend,
      watchCache,
      resourceCache,
      queue,
      codec,
      encoding,
      definition,
      clock,
      newToken,
      resolveTimeoutMs: RESOLVE_TIMEOUT_MS,
    };
    return {
      reads: { kind, stored: definition, backend, watchCache, resourceCache, metrics: readMetrics, log },
      writes: {
        kind,
        rules: toRules(own),
        ruleContext,
        fieldManager,
        admission,
        writer,
        newUid: options.newUid,
        random,
        eventTtlMs: options.eventTtlMs,
        garbageCollection: options.garbageCollection ?? true,
      },
    };
  };
  const served = compiled
    .map((own): ServedKind => {
      const { kind } = own;
      const storeOptions = toStoreOptions(own);
      const store = isView(kind) ? createViewStore(kind, storeOptions) : createObjectStore(storeOptions);
      return { compiled: own, store, cache: storeOptions.reads.resourceCache };
    })
    .sort((a, b) => Number(isView(a.compiled.kind)) - Number(isView(b.compiled.kind)));

  const stop = new AbortController();
  const background = new BackgroundWork({ backend, clock, random, log, holder: options.identity });
  const expiring = kinds
    .filter(({ strategy }) => strategy.expires === true)
    .map(({ definition }) => watchCache.resource(resourceName(definition)));
  background.add(
    'expiry',
    createExpiry({ backend, resources: expiring, clock, log, sweepMs: EXPIRY_SWEEP_MS, maxPerSecond: MAX_EXPIRED_PER_SECOND }),
  );
  if (compactEveryMs !== undefined) {
    background.add('compaction', createCompaction({ backend, resources: watchCache.resources, clock, log, everyMs: compactEveryMs }));
  }
  const leading = filled.then((isFilled) => (isFilled ? background.run(stop.signal) : undefined));
  for (const each of served) byName.set(resourceName(each.store.definition), each);
  return {
    find,
    served,
    watchCache,
    get notReady() {
      return watchCache.notReady;
    },
    lead: (name, work) => background.add(name, work),
    async close() {
      stop.abort();
      await watchCache.close();
      await leading;
    },
  };
}

function toCachedResource({ kind, codec, encoding }: CompiledKind): CachedResource {
  const { definition } = kind;
  return {
    name: resourceName(definition),
    resource: definition.resource,
    group: definition.group,
    prefix: resourcePrefix(definition),
    namespaced: definition.namespaced,
    encoding,
    readAttributes: createAttributesReader(kind),
    bookmarkTail: bookmarkTail(codec, definition),
  };
}

/** The JSON after the metadata of an empty object. */
function bookmarkTail(codec: CompiledKind['codec'], { kind, apiVersion }: ResourceDefinition): Buffer {
  const empty = codec.encode({ kind, apiVersion, metadata: {} });
  return empty.subarray(empty.indexOf('}', empty.indexOf('"metadata":{')) + 1);
}

function toStoredCodec({ kind, stored: { codec } }: CompiledKind): StoredCodec {
  // `encode` wrote the bytes from an object that had passed the pipeline, so it has metadata.
  const decode = (json: Buffer) => codec.parseStored(json) as KubernetesObject;
  if (!isView(kind)) return { encode: (object) => codec.encode(object), decode };
  const { toStored, toView } = renamingOf(kind);
  return { encode: (object) => codec.encode(toStored(object)), decode: (json) => toView(decode(json)) };
}

/** Rules of all objects of a kind besides its own. */
export function toRules({ kind, validator }: Pick<CompiledKind, 'kind' | 'validator'>): ObjectRules {
  const { strategy, definition } = kind;
  const { checkName = checkDnsSubdomain, checkGenerateName } = strategy;
  const meta = { namespaced: definition.namespaced, checkName, ...(checkGenerateName && { checkGenerateName }) };
  const { checksStandardFinalizers: checks = 'always' } = strategy;
  const finalizerCauses = ({ finalizers = [] }: ObjectMeta) => standardFinalizerCauses(finalizers);
  return {
    schema: validator.fieldErrors,
    metaOnCreate: ({ metadata }) => [
      ...validateObjectMeta(metadata, meta),
      ...(checks === 'never' ? NO_CAUSES : finalizerCauses(metadata)),
    ],
    metaOnUpdate: ({ metadata }, stored) => [
      ...validateObjectMetaUpdate(metadata, stored.metadata, meta),
      ...(checks === 'always' ? finalizerCauses(metadata) : NO_CAUSES),
    ],
  };
}

function toCacheMetrics(metrics: Metrics, kinds: readonly Kind[]): WatchCacheMetrics {
  const labels = new Map(kinds.map(({ definition }) => [resourceName(definition), [definition.group, definition.resource]]));
  const received = new Map([...labels].map(([name, values]) => [name, metrics.watchCacheEventsReceivedTotal.with(...values)]));
  return {
    filled: (name) => metrics.watchCacheInitializationsTotal.with(...(labels.get(name) ?? [])).inc(),
    received: (name) => received.get(name)?.inc(),
  };
}

function toReadMetrics({ watchCacheConsistentReadTotal, watchCacheReadWaitSeconds }: Metrics): ReadMetrics {
  const [answered, passedOn] = [watchCacheConsistentReadTotal.with('true'), watchCacheConsistentReadTotal.with('false')];
  const wait = watchCacheReadWaitSeconds.with();
  return {
    consistentRead: (seconds, isAnswered) => {
      (isAnswered ? answered : passedOn).inc();
      wait.observe(seconds);
    },
  };
}

const resourceName = ({ resource, group }: Pick<ResourceDefinition, 'resource' | 'group'>): string => `${resource}.${group}`;
