/**
 * The garbage collector of owner references: deletes objects whose owners are all gone, and does what the policies
 * `Foreground` and `Orphan` promise. To clients it behaves as Kubernetes' garbage-collector-controller.
 *
 * The graph follows the watch cache synchronously, so both always show the same state. What is done is judged by fresh
 * state and written with preconditions, so neither another collector nor an earlier leader does harm.
 */
import { ScheduledTask, Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ServedKind } from '../../registry/registry.ts';
import type { Key } from '../../storage/keys.ts';
import type { AppliedChange, CachedObject, WatchCache } from '../../watchcache/watch-cache.ts';
import type { RecordEvent } from '../event-recorder.ts';
import { Pace } from '../pace.ts';
import { WorkQueue } from '../work-queue.ts';
import { type AttemptOptions, attemptToDelete, locationOf } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { CollectedKinds, type CollectedKind, keyOf } from './collected-kinds.ts';
import { DependencyGraph, type LocatedObject } from './graph.ts';
import { ObjectAccess } from './object-access.ts';
import { OwnerSearch } from './owner-search.ts';
import { type OwnerReference, readOwnership } from './ownership.ts';

export interface GarbageCollectorOptions {
  readonly served: readonly ServedKind[];
  readonly watchCache: Pick<WatchCache, 'isFresh'>;
  readonly recordEvent: RecordEvent;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  /** Default: enough for a busy store, and little enough for its clients. */
  readonly maxWritesPerSecond?: number;
}

const MAX_WRITES_PER_SECOND = 550;
/** Enough for that rate on a store that takes 25 ms for a write. */
const DELETE_WORKERS = 16;
const ORPHAN_WORKERS = 2;
/** Unlike client-go's 1,000 s: a store that was out of reach may be back any time. */
const MAX_RETRY_MS = 30_000;
/** Failures of one object in a row until the log tells: for about 5 s. */
const TOLD_FAILURES = 10;
/** Events about wrong namespaces that wait to be written. Further ones are not written. */
const MAX_REPORTS = 1000;

export class GarbageCollector {
  readonly #options: GarbageCollectorOptions;
  readonly #kinds: CollectedKinds;
  #collection: GarbageCollection | undefined;

  constructor(options: GarbageCollectorOptions) {
    this.#options = options;
    this.#kinds = new CollectedKinds(options.served);
  }

  /** It runs, and nothing that the watch cache has applied is left to be done. */
  get isIdle(): boolean {
    return this.#collection?.isIdle === true;
  }

  /** Runs while this server leads. */
  readonly lead = async (signal: AbortSignal): Promise<void> => {
    // The graph is built anew when the watch cache was filled again.
    while (!signal.aborted) {
      this.#collection = new GarbageCollection(this.#options, this.#kinds);
      await this.#collection.run(signal);
    }
    this.#collection = undefined;
  };
}

/** An owner that is in another namespace. */
interface ForeignOwner {
  readonly dependent: LocatedObject<CollectedKind>;
  readonly reference: OwnerReference;
}

/** A graph, and the work that it causes. */
class GarbageCollection {
  readonly #options: GarbageCollectorOptions;
  readonly #kinds: CollectedKinds;
  readonly #scheduler = new Scheduler();
  readonly #graph: DependencyGraph<CollectedKind>;
  /** Objects whose dependents may have to be deleted. They may be many, so they are queued little by little. */
  readonly #changes: WorkQueue<string>;
  readonly #toDelete: WorkQueue<string>;
  readonly #toOrphan: WorkQueue<string>;
  readonly #reports: WorkQueue<ForeignOwner>;
  readonly #ownerSearch: OwnerSearch;
  readonly #attempts: AttemptOptions;
  /** The uids of objects whose value cannot be read any more, which are known to exist all the same. */
  readonly #unreadable = new Map<Key, string>();
  readonly #stop = new AbortController();
  #isBuilt = false;

  constructor(options: GarbageCollectorOptions, kinds: CollectedKinds) {
    const { clock, metrics, log } = options;
    this.#options = options;
    this.#kinds = kinds;
    const createQueue = (name: string) =>
      new WorkQueue<string>({
        name: `garbage_collector_${name}`,
        clock,
        metrics,
        scheduler: this.#scheduler,
        maxRetryMs: MAX_RETRY_MS,
        failed: (uid, error, failures) => {
          // A store that is out of reach has its own lines.
          const isTold = failures === TOLD_FAILURES && !(error instanceof StatusError && error.code > 500);
          log[isTold ? 'warn' : 'debug']('garbage collection of an object failed', { uid, failures, error });
        },
      });
    this.#changes = createQueue('graph_changes');
    this.#toDelete = createQueue('attempt_to_delete');
    this.#toOrphan = createQueue('attempt_to_orphan');
    this.#reports = new WorkQueue<ForeignOwner>({ name: 'garbage_collector_events', clock, scheduler: this.#scheduler });
    const report = (dependent: LocatedObject<CollectedKind>, reference: OwnerReference) => {
      if (this.#reports.length < MAX_REPORTS) this.#reports.add({ dependent, reference });
    };
    this.#ownerSearch = new OwnerSearch({
      kinds: kinds.all,
      clock,
      scheduler: this.#scheduler,
      known: (uid) => {
        const node = this.#graph.get(uid);
        const location = node === undefined ? undefined : locationOf(node);
        return location === undefined ? undefined : { ...location, uid };
      },
      found: (owner) => this.#graph.locate(owner),
      foreignNamespace: report,
    });
    this.#graph = new DependencyGraph({
      locate: (reference, namespace) => kinds.locate(reference, namespace),
      uidAt: (location) => location.resource.cache.get(keyOf(location))?.uid,
      listener: {
        attemptToDelete: (uid) => this.#toDelete.add(uid),
        attemptToDeleteDependents: (uid) => this.#changes.add(uid),
        attemptToOrphan: (uid) => this.#toOrphan.add(uid),
        ownersElsewhere: (dependent, references) => this.#ownerSearch.add({ dependent, references }),
      },
    });
    this.#attempts = {
      graph: this.#graph,
      locate: (reference, namespace) => kinds.locate(reference, namespace),
      access: new ObjectAccess(options.watchCache, new Pace(clock, options.maxWritesPerSecond ?? MAX_WRITES_PER_SECOND)),
      attemptToDelete: (uid, delayMs = 0) => this.#toDelete.addAfter(uid, delayMs),
    };
  }

  get isIdle(): boolean {
    return this.#isBuilt && this.#changes.isIdle && this.#toDelete.isIdle && this.#toOrphan.isIdle;
  }

  async run(leading: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([leading, this.#stop.signal]);
    const subscriptions = this.#kinds.all.map((kind) =>
      kind.cache.subscribe({ changed: (change) => this.#follow(kind, change), replaced: () => this.#stop.abort() }),
    );
    let running: readonly Promise<void>[] = [];
    try {
      await this.#build(signal);
      running = [
        this.#changes.run(1, (uid) => this.#queueDependents(uid, signal), signal),
        this.#toDelete.run(DELETE_WORKERS, (uid) => attemptToDelete(this.#attempts, uid, signal), signal),
        this.#toOrphan.run(ORPHAN_WORKERS, (uid) => attemptToOrphan(this.#attempts, uid, signal), signal),
        this.#reports.run(1, (foreign) => this.#report(foreign, signal), signal),
        this.#ownerSearch.run(signal),
      ];
      await Promise.all(running);
    } catch (error) {
      if (!signal.aborted) this.#options.metrics?.garbageCollectorResourcesSyncErrorTotal.with().inc();
      throw error;
    } finally {
      this.#isBuilt = false;
      for (const unsubscribe of subscriptions) unsubscribe();
      // When one fails, the others end too.
      this.#stop.abort();
      await Promise.allSettled(running);
    }
  }

  /** Called in the tick of the subscription, so that no change is missed. */
  async #build(signal: AbortSignal): Promise<void> {
    const startedMs = performance.now();
    const snapshots = this.#kinds.all.filter(({ isCollected }) => isCollected).map((kind) => ({ kind, snapshot: kind.cache.snapshot() }));
    const task = new ScheduledTask(this.#scheduler);
    for (const { kind, snapshot } of snapshots) {
      for (const object of snapshot.page({ selection: {} }).objects) {
        // What changed meanwhile was followed.
        if (kind.cache.get(object.key)?.revision === object.revision) this.#observe(kind, object, undefined);
        if (!task.shouldYield()) continue;
        await task.yield();
        if (signal.aborted) return;
      }
    }
    this.#isBuilt = true;
    const [nodes, ms] = [this.#graph.size, Math.round(performance.now() - startedMs)];
    this.#options.log.debug('graph of owners built', { nodes, ms });
  }

  #follow(kind: CollectedKind, { key, previous, current, isDeleted }: AppliedChange): void {
    const uidBefore = previous?.uid ?? this.#unreadable.get(key);
    this.#unreadable.delete(key);
    if (current === undefined && !isDeleted) {
      if (uidBefore !== undefined) this.#unreadable.set(key, uidBefore);
      return;
    }
    if (uidBefore !== undefined && uidBefore !== current?.uid) this.#graph.remove(uidBefore);
    if (current !== undefined && kind.isCollected) this.#observe(kind, current, previous);
  }

  #observe(resource: CollectedKind, object: CachedObject, previous: CachedObject | undefined): void {
    const { uid, namespace, name } = object;
    try {
      this.#graph.observe({ resource, namespace, name, uid }, readOwnership(object.itemBytes), () =>
        previous === undefined || !this.#isBuilt ? undefined : readOwnership(previous.itemBytes),
      );
    } catch (error) {
      // Another program wrote it. Who reads it fails, so it is neither deleted nor missed.
      this.#options.log.error('owner references cannot be read', { resource: resource.cache.resource.name, namespace, name, error });
    }
  }

  async #queueDependents(uid: string, signal: AbortSignal): Promise<void> {
    const node = this.#graph.get(uid);
    const task = new ScheduledTask(this.#scheduler);
    // The set may change meanwhile, which a set allows while it is iterated.
    for (const dependent of node?.dependents ?? []) {
      this.#toDelete.add(dependent.uid);
      if (!task.shouldYield()) continue;
      await task.yield();
      if (signal.aborted) return;
    }
    if (node?.isDeletingDependents === true) this.#toDelete.add(uid);
  }

  /** The dependent may be gone by now, and the Event tells why. */
  async #report({ dependent: { resource, ...subject }, reference }: ForeignOwner, signal: AbortSignal): Promise<void> {
    const { apiVersion, kind } = resource.definition;
    const { namespace } = subject;
    const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`;
    await this.#options.recordEvent(
      { ...subject, apiVersion, kind },
      { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message },
      signal,
    );
  }
}
