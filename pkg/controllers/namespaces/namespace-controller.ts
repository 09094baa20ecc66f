/**
 * Deletes what a Namespace holds that is being deleted, says in its conditions what is left and why, and lets it go
 * when it is empty. Runs on one server at a time.
 *
 * A server that has not yet seen the deletion may still create an object, which appears when the Namespace is gone.
 * Such an object is never left without one: in the mode `implicit` its Namespace is made anew; in `strict`, where it
 * should not have been created, it is deleted with the rest.
 */
import type { NamespaceLifecycleMode, Namespaces } from '../../admission/namespace-lifecycle/namespace-lifecycle.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { toRfc3339Seconds } from '../../apimachinery/time/rfc3339.ts';
import { CONTENT_FINALIZER, TERMINATING } from '../../apis/core/v1/namespaces/names.ts';
import type { KubernetesObject, ResourceDefinition } from '../../apis/kind.ts';
import { isView } from '../../apis/kind-view.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { deleteCollection } from '../../registry/delete-collection.ts';
import { parseObjectKey } from '../../registry/keys.ts';
import type { Lead } from '../../registry/leases/lease.ts';
import { findNamespaces } from '../../registry/namespaces.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import type { CurrentObject, ListQuery, ObjectStore } from '../../registry/object-store.ts';
import type { Registry, ServedKind } from '../../registry/registry.ts';
import type { AppliedChange, ResourceCache } from '../../watchcache/watch-cache.ts';
import { WorkQueue } from '../work-queue.ts';
import { namespaceConditions, type RemainingContent, withConditions } from './namespace-conditions.ts';
import { namespacesInUse } from './namespaces-in-use.ts';

export interface NamespaceControllerOptions {
  readonly mode: NamespaceLifecycleMode;
  readonly namespaces: Namespaces;
  readonly registry: Pick<Registry, 'find' | 'served'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

const WORKERS = 5;
/** A namespace that cannot be emptied is tried again after this time, if nothing in it changes before. */
const RETRY_MS = 15_000;
/** Changes in a namespace within this time are handled together. */
const SETTLE_MS = 100;
/** Objects of each resource that the log names. */
const MAX_HELD = 5;
/** How long a server may take to see that a namespace was deleted. */
const MAX_CACHE_LAG_MS = 600_000;

export const createNamespaceController =
  (options: NamespaceControllerOptions): Lead =>
  (signal) =>
    new NamespaceController(options).run(signal);

class NamespaceController {
  readonly #options: NamespaceControllerOptions;
  readonly #queue: WorkQueue<string>;
  readonly #scheduler = new Scheduler();
  readonly #namespaced: readonly ServedKind[];
  /** When each namespace was removed, for `strict`. */
  readonly #removed = new Map<string, number>();

  constructor(options: NamespaceControllerOptions) {
    const { clock, log, metrics, registry } = options;
    this.#options = options;
    this.#namespaced = registry.served.filter(({ compiled }) => compiled.kind.definition.namespaced);
    this.#queue = new WorkQueue({
      name: 'namespace',
      clock,
      metrics,
      scheduler: this.#scheduler,
      maxRetryMs: RETRY_MS,
      failed: (namespace, error) => log.warn('namespace could not be emptied, retrying', { namespace, error }),
    });
  }

  /** Ends when the cache was filled again, since changes may have been missed. */
  async run(signal: AbortSignal): Promise<void> {
    const refilled = new AbortController();
    const ending = AbortSignal.any([signal, refilled.signal]);
    const replaced = () => refilled.abort();
    const namespaces = findNamespaces(this.#options.registry).cache;
    const stored = this.#namespaced.filter(({ compiled }) => !isView(compiled.kind));
    const contents = stored.map(({ cache }) => cache);
    const ends = [
      namespaces.subscribe({ changed: ({ current }) => this.#namespaceChanged(current), replaced }),
      ...stored.map(({ cache, store: { definition } }) =>
        cache.subscribe({ changed: (change) => this.#contentChanged(definition, change), replaced }),
      ),
    ];
    try {
      for (const namespace of namespaces.snapshot().page({ selection: {} }).objects) this.#namespaceChanged(namespace);
      await Promise.all([this.#queue.run(WORKERS, (name) => this.#sync(name, ending), ending), this.#findHomeless(contents, ending)]);
    } finally {
      for (const end of ends) end();
    }
  }

  #namespaceChanged(namespace: AppliedChange['current']): void {
    if (namespace?.fields?.['status.phase'] === TERMINATING) this.#queue.add(namespace.name);
  }

  #contentChanged(definition: ResourceDefinition, { key, current, previous }: AppliedChange): void {
    // An object that could not be read has only its key.
    const { namespace } = current ?? previous ?? parseObjectKey(definition, key);
    const phase = this.#options.namespaces.cachedPhase(namespace);
    if (phase === TERMINATING) this.#queue.addAfter(namespace, SETTLE_MS);
    else if (phase === undefined && current !== undefined && this.#isWanted(namespace)) this.#queue.add(namespace);
  }

  /** Whether something is to be done about an object without a Namespace. */
  #isWanted(namespace: string): boolean {
    return this.#options.mode === 'implicit' || this.#removed.has(namespace);
  }

  async #findHomeless(contents: readonly ResourceCache[], signal: AbortSignal): Promise<void> {
    if (this.#options.mode === 'strict') return;
    for (const name of await namespacesInUse(contents, this.#scheduler, signal)) {
      if (this.#options.namespaces.cachedPhase(name) === undefined) this.#queue.add(name);
    }
  }

  async #sync(name: string, signal: AbortSignal): Promise<void> {
    const phase = await this.#options.namespaces.phase(name, signal);
    if (phase === TERMINATING) await this.#empty(name, signal);
    else if (phase === undefined) await this.#adopt(name, signal);
  }

  /** Objects are in a namespace that does not exist. */
  async #adopt(name: string, signal: AbortSignal): Promise<void> {
    const { mode, namespaces, log } = this.#options;
    const contents = await this.#remaining(name, signal);
    if (contents.every(({ count }) => count === 0)) return;
    if (mode === 'implicit') {
      await namespaces.create(name, signal);
      log.info('namespace created for objects that had none', { namespace: name });
    } else if (this.#wasRemoved(name)) {
      await this.#deleteContents(name, signal);
      log.info('objects deleted that were created while their namespace was removed', { namespace: name });
    }
  }

  #wasRemoved(name: string): boolean {
    const now = this.#options.clock.now();
    for (const [removed, atMs] of this.#removed) if (now - atMs > MAX_CACHE_LAG_MS) this.#removed.delete(removed);
    return this.#removed.has(name);
  }

  async #empty(name: string, signal: AbortSignal): Promise<void> {
    const { mode, clock, log } = this.#options;
    const failures = await this.#deleteContents(name, signal);
    const contents = (await this.#remaining(name, signal)).map((content) => {
      const failure = failures.get(`${content.resource}.${content.group}`);
      return failure === undefined ? content : { ...content, failure };
    });
    const isEmpty = contents.every(({ count, failure }) => count === 0 && failure === undefined);
    const isNews = await this.#setConditions(name, contents, signal);
    if (!isEmpty) {
      if (isNews) log.info('namespace waits for what is left in it', { namespace: name, held: contents.flatMap(({ held }) => held) });
      this.#queue.addAfter(name, RETRY_MS);
      return;
    }
    if (mode === 'strict') this.#removed.set(name, clock.now());
    await this.#finalize(name, signal);
    log.info('namespace emptied', { namespace: name });
  }

  /** Returns what failed, by resource. */
  async #deleteContents(namespace: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const failures = new Map<string, string>();
    for (const { compiled, store } of this.#namespaced) {
      if (isView(compiled.kind)) continue;
      try {
        const request = { ...writeOptions(signal), preconditions: {}, propagationPolicy: 'Background' } as const;
        await deleteCollection(store, everythingIn(namespace), request);
      } catch (error) {
        if (signal.aborted) throw error;
        failures.set(`${store.definition.resource}.${store.definition.group}`, errorMessage(error));
      }
    }
    return failures;
  }

  async #remaining(namespace: string, signal: AbortSignal): Promise<readonly RemainingContent[]> {
    const contents: RemainingContent[] = [];
    for (const { store } of this.#namespaced) contents.push(await this.#remainingOf(store, namespace, signal));
    return contents;
  }

  async #remainingOf(store: ObjectStore, namespace: string, signal: AbortSignal): Promise<RemainingContent> {
    const { resource, group } = store.definition;
    const finalizers = new Map<string, number>();
    const task = new ScheduledTask(this.#scheduler);
    const held: string[] = [];
    let count = 0;
    try {
      const { page } = await store.list(everythingIn(namespace), signal);
      for (const { name, itemBytes } of page.objects) {
        count++;
        const own = finalizersOf(itemBytes);
        if (held.length < MAX_HELD) held.push(`${resource}/${name}: ${own.join(', ')}`);
        for (const finalizer of own) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
        if (task.shouldYield()) await task.yield();
      }
      return { resource, group, count, finalizers, held };
    } catch (error) {
      if (signal.aborted) throw error;
      return { resource, group, count, finalizers, held, failure: errorMessage(error) };
    }
  }

  /** Whether they changed. */
  async #setConditions(name: string, contents: readonly RemainingContent[], signal: AbortSignal): Promise<boolean> {
    const now = toRfc3339Seconds(this.#options.clock.now());
    return this.#change(name, 'status', signal, (namespace) => {
      const status = namespace['status'] as { readonly conditions?: readonly JsonObject[] } | undefined;
      return { ...namespace, status: { ...status, conditions: withConditions(status?.conditions, namespaceConditions(contents), now) } };
    });
  }

  async #finalize(name: string, signal: AbortSignal): Promise<void> {
    await this.#change(name, 'finalize', signal, (namespace) => {
      const spec = namespace['spec'] as { readonly finalizers?: readonly string[] } | undefined;
      return { ...namespace, spec: { ...spec, finalizers: spec?.finalizers?.filter((finalizer) => finalizer !== CONTENT_FINALIZER) } };
    });
  }

  /** Only while it is being deleted: it may have gone, and come again. Whether something changed. */
  async #change(
    name: string,
    subresource: string,
    signal: AbortSignal,
    change: (namespace: KubernetesObject) => KubernetesObject,
  ): Promise<boolean> {
    const patch = ({ object }: CurrentObject) => (object.metadata.deletionTimestamp === undefined ? object : change(object));
    try {
      const { store } = findNamespaces(this.#options.registry);
      const { outcome } = await store.update({ namespace: '', name }, subresource, { by: 'patch', patch }, writeOptions(signal));
      return outcome !== 'unchanged';
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      return false;
    }
  }
}

const writeOptions = (signal: AbortSignal) => ({ dryRun: false, fieldManager: FIELD_MANAGER, signal });

const everythingIn = (namespace: string): ListQuery => ({ selection: { namespace }, at: { at: 'newest' }, limit: 0 });

function finalizersOf(json: Buffer): readonly string[] {
  const { metadata } = JSON.parse(json.toString('utf8')) as { readonly metadata?: { readonly finalizers?: readonly string[] } };
  return metadata?.finalizers ?? [];
}
