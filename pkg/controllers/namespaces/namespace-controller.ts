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
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { toRfc3339Seconds } from '../../apimachinery/time/rfc3339.ts';
import { CONTENT_FINALIZER, TERMINATING } from '../../apis/core/v1/namespaces/names.ts';
import type { KubernetesObject, ResourceDefinition } from '../../apis/kind.ts';
import { isView } from '../../apis/kind-view.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { parseObjectKey } from '../../registry/keys.ts';
import type { Lead } from '../../registry/leases/lease.ts';
import { findNamespaces, readNamespace } from '../../registry/namespaces.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import type { CurrentObject, WriteOptions } from '../../registry/object-store.ts';
import type { Registry, ServedKind } from '../../registry/registry.ts';
import type { AppliedChange, CachedObject, ResourceCache } from '../../watchcache/watch-cache.ts';
import { WorkQueue } from '../work-queue.ts';
import { namespaceConditions, type RemainingContent, withConditions } from './namespace-conditions.ts';
import { type DeletionFailures, NamespaceContents } from './namespace-contents.ts';
import type { RecordEvent } from '../event-recorder.ts';
import { namespacesInUse } from './namespaces-in-use.ts';
import { RemovedNamespaces } from './removed-namespaces.ts';

export interface NamespaceControllerOptions {
  readonly mode: NamespaceLifecycleMode;
  readonly namespaces: Namespaces;
  readonly registry: Pick<Registry, 'find' | 'served'>;
  readonly recordEvent: RecordEvent;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

const WORKERS = 5;
/** A namespace that cannot be emptied is tried again after this time, if nothing in it changes before. */
const RETRY_MS = 15_000;
/** Changes in a namespace within this time are handled together. */
const SETTLE_MS = 100;
/** After a pass the namespace rests this many times as long, at most `RETRY_MS`: each looks at all that is left. */
const REST_FACTOR = 10;
/** Characters that Kubernetes allows in the message of an Event. */
const MAX_EVENT_MESSAGE = 1024;

export const createNamespaceController =
  (options: NamespaceControllerOptions): Lead =>
  (signal) =>
    new NamespaceController(options).run(signal);

class NamespaceController {
  readonly #options: NamespaceControllerOptions;
  readonly #queue: WorkQueue<string>;
  readonly #scheduler = new Scheduler();
  readonly #namespaced: readonly ServedKind[];
  readonly #contents: NamespaceContents;
  /** For `strict`. */
  readonly #removed: RemovedNamespaces;
  /** When the next pass over a namespace may begin. */
  readonly #restsUntil = new Map<string, number>();

  constructor(options: NamespaceControllerOptions) {
    const { clock, log, metrics, registry } = options;
    this.#options = options;
    this.#namespaced = registry.served.filter(({ compiled }) => compiled.kind.definition.namespaced);
    this.#removed = new RemovedNamespaces(clock);
    this.#contents = new NamespaceContents(this.#namespaced, this.#scheduler);
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
      namespaces.subscribe({ changed: (change) => this.#namespaceChanged(change), replaced }),
      ...stored.map(({ cache, store: { definition } }) =>
        cache.subscribe({ changed: (change) => this.#contentChanged(definition, change), replaced }),
      ),
    ];
    for (const namespace of namespaces.snapshot().page({ selection: {} }).objects) this.#queueTerminating(namespace);
    const parts = [this.#queue.run(WORKERS, (name) => this.#sync(name, ending), ending), this.#queueAbsent(contents, ending)];
    try {
      await Promise.all(parts);
    } finally {
      for (const end of ends) end();
      // When one has failed, the other must not go on beside the next attempt.
      refilled.abort();
      await Promise.allSettled(parts);
    }
  }

  #namespaceChanged({ current, previous }: AppliedChange): void {
    if (current !== undefined) {
      this.#queueTerminating(current);
    } else if (previous !== undefined && this.#options.mode === 'strict') {
      this.#removed.add(previous.name);
      this.#queue.add(previous.name);
    }
  }

  #queueTerminating({ name, fields }: CachedObject): void {
    if (fields?.['status.phase'] === TERMINATING) this.#queue.add(name);
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

  /** Namespaces that objects are in and that do not exist. */
  async #queueAbsent(contents: readonly ResourceCache[], signal: AbortSignal): Promise<void> {
    if (this.#options.mode === 'strict') return;
    for (const name of await namespacesInUse(contents, this.#scheduler, signal)) {
      if (this.#options.namespaces.cachedPhase(name) === undefined) this.#queue.add(name);
    }
  }

  async #sync(name: string, signal: AbortSignal): Promise<void> {
    const { clock, registry } = this.#options;
    const begunMs = clock.now();
    const restMs = (this.#restsUntil.get(name) ?? begunMs) - begunMs;
    if (restMs > 0) {
      this.#queue.addAfter(name, restMs);
      return;
    }
    this.#restsUntil.delete(name);
    const namespace = await readNamespace(registry, name, signal);
    if (namespace === undefined) await this.#syncAbsent(name, signal);
    if (namespace?.phase !== TERMINATING) return;
    if (await this.#empty(name, namespace.uid, signal)) return;
    const endMs = clock.now();
    this.#restsUntil.set(name, endMs + Math.min((endMs - begunMs) * REST_FACTOR, RETRY_MS));
    this.#queue.addAfter(name, RETRY_MS);
  }

  /** Objects are in a namespace that does not exist. */
  async #syncAbsent(name: string, signal: AbortSignal): Promise<void> {
    const { mode, namespaces, log } = this.#options;
    const contents = await this.#contents.remaining(name, signal);
    if (contents.every(({ count }) => count === 0)) return;
    if (mode === 'implicit') {
      try {
        await namespaces.create(name, signal);
      } catch (error) {
        if (!isStatusError(error, 'Invalid')) throw error;
        log.warn('objects are in a namespace whose name is not valid', { namespace: name });
        return;
      }
      log.info('namespace created for objects that had none', { namespace: name });
    } else if (this.#removed.has(name)) {
      const failures = await this.#deleteContents(name, undefined, signal);
      if (failures === undefined) return;
      if (failures.size > 0) throw new Error([...failures.values()].join(', '));
      log.info('objects deleted that were created while their namespace was removed', { namespace: name });
    }
  }

  /** False: something is left. */
  async #empty(name: string, uid: string, signal: AbortSignal): Promise<boolean> {
    const { log } = this.#options;
    const failures = await this.#deleteContents(name, uid, signal);
    if (failures === undefined) return true;
    const contents = (await this.#contents.remaining(name, signal)).map((content) => {
      const failure = content.failure ?? failures.get(`${content.resource}.${content.group}`);
      return failure === undefined ? content : { ...content, failure };
    });
    const isEmpty = contents.every(({ count, failure }) => count === 0 && failure === undefined);
    const isNews = await this.#setConditions(name, uid, contents, signal);
    if (!isEmpty) {
      if (isNews) {
        const [held, failed] = [contents.flatMap((content) => content.held), contents.flatMap(({ failure }) => failure ?? [])];
        log.info('namespace waits for what is left in it', { namespace: name, held, ...(failed.length > 0 && { failed }) });
        if (held.length > 0) await this.#recordHeld(name, uid, held, signal);
      }
      return false;
    }
    if (await this.#finalize(name, uid, signal)) log.info('namespace emptied', { namespace: name });
    return true;
  }

  /** The conditions, whose words are those of Kubernetes, name no objects. */
  #recordHeld(name: string, uid: string, held: readonly string[], signal: AbortSignal): Promise<void> {
    const message = `Waiting for objects to be removed: ${held.join('; ')}`;
    return this.#options.recordEvent(
      { apiVersion: 'v1', kind: 'Namespace', namespace: '', name, uid },
      { type: 'Warning', reason: 'NamespaceContentRemaining', message: message.slice(0, MAX_EVENT_MESSAGE) },
      signal,
    );
  }

  /** `uid`: of the Namespace that is being deleted; undefined: there is none. Ends early when that is no longer so. */
  #deleteContents(name: string, uid: string | undefined, signal: AbortSignal): Promise<DeletionFailures | undefined> {
    const isSame = async () => {
      const now = await readNamespace(this.#options.registry, name, signal);
      return now?.uid === uid && (now === undefined || now.phase === TERMINATING);
    };
    return this.#contents.delete(name, isSame, writeOptions(signal));
  }

  /** Whether they changed. */
  async #setConditions(name: string, uid: string, contents: readonly RemainingContent[], signal: AbortSignal): Promise<boolean> {
    const now = toRfc3339Seconds(this.#options.clock.now());
    return this.#change(name, uid, 'status', signal, (namespace) => {
      const status = namespace['status'] as { readonly conditions?: readonly JsonObject[] } | undefined;
      return { ...namespace, status: { ...status, conditions: withConditions(status?.conditions, namespaceConditions(contents), now) } };
    });
  }

  /** Whether the finalizer was still there. */
  async #finalize(name: string, uid: string, signal: AbortSignal): Promise<boolean> {
    return this.#change(name, uid, 'finalize', signal, (namespace) => {
      const spec = namespace['spec'] as { readonly finalizers?: readonly string[] } | undefined;
      return { ...namespace, spec: { ...spec, finalizers: spec?.finalizers?.filter((finalizer) => finalizer !== CONTENT_FINALIZER) } };
    });
  }

  /** Not if it has gone and come again. Whether something changed. */
  async #change(
    name: string,
    uid: string,
    subresource: string,
    signal: AbortSignal,
    change: (namespace: KubernetesObject) => KubernetesObject,
  ): Promise<boolean> {
    const patch = ({ object }: CurrentObject) => (object.metadata.uid !== uid ? object : change(object));
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

const writeOptions = (signal: AbortSignal): WriteOptions => ({ dryRun: false, fieldManager: FIELD_MANAGER, signal });
