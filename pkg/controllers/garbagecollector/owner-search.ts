/**
 * Looks for owners that are not where a reference says. The graph has no node for most objects, so all of them are
 * searched, at most once a second. It only serves to tell users of a wrong namespace: whether the dependent stays is
 * decided without it.
 */
import { ScheduledTask, type Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { CollectedKind } from './collected-kinds.ts';
import type { LocatedObject } from './graph.ts';
import type { OwnerReference } from './ownership.ts';

/** In the order of the references. */
export interface MissingOwners {
  readonly dependent: LocatedObject<CollectedKind>;
  readonly references: readonly OwnerReference[];
}

export interface OwnerSearchOptions {
  readonly kinds: readonly CollectedKind[];
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** What the graph knows of an owner. */
  readonly known: (uid: string) => LocatedObject<CollectedKind> | undefined;
  /** Told of each owner that the graph did not know. */
  readonly found: (owner: LocatedObject<CollectedKind>) => void;
  /** Told of a dependent's first owner in another namespace, unless one before it was found in the same. */
  readonly foreignNamespace: (dependent: LocatedObject<CollectedKind>, reference: OwnerReference) => void;
}

const PAUSE_MS = 1000;
/** Further ones are not searched for, and their users not told. */
const MAX_MISSING = 1000;

export class OwnerSearch {
  readonly #options: OwnerSearchOptions;
  #missing: MissingOwners[] = [];
  #wake: (() => void) | undefined;

  constructor(options: OwnerSearchOptions) {
    this.#options = options;
  }

  add(missing: MissingOwners): void {
    if (this.#missing.length >= MAX_MISSING) return;
    this.#missing.push(missing);
    this.#wake?.();
  }

  /** Until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const onAbort = () => this.#wake?.();
    signal.addEventListener('abort', onAbort, { once: true });
    while (!signal.aborted) {
      if (this.#missing.length === 0) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
        continue;
      }
      await this.#search(signal);
      await this.#options.clock.sleep(PAUSE_MS, signal);
    }
    signal.removeEventListener('abort', onAbort);
  }

  async #search(signal: AbortSignal): Promise<void> {
    const missing = this.#missing;
    this.#missing = [];
    const owners = await this.#find(new Set(missing.flatMap(({ references }) => references.map(({ uid }) => uid))), signal);
    for (const { dependent, references } of missing) {
      const reference = references.find(({ uid }) => owners.has(uid));
      const namespace = reference === undefined ? '' : (owners.get(reference.uid)?.namespace ?? '');
      if (reference === undefined || namespace === '' || namespace === dependent.namespace) continue;
      this.#options.foreignNamespace(dependent, reference);
    }
  }

  async #find(uids: Set<string>, signal: AbortSignal): Promise<ReadonlyMap<string, LocatedObject<CollectedKind>>> {
    const { kinds, known, found, scheduler } = this.#options;
    const owners = new Map<string, LocatedObject<CollectedKind>>();
    for (const uid of uids) {
      const owner = known(uid);
      if (owner !== undefined && uids.delete(uid)) owners.set(uid, owner);
    }
    const task = new ScheduledTask(scheduler);
    for (const resource of uids.size === 0 ? [] : kinds) {
      for (const { key, uid, namespace, name } of resource.cache.snapshot().page({ selection: {} }).objects) {
        // It may have gone since the snapshot was taken.
        if (uids.delete(uid) && resource.cache.get(key)?.uid === uid) {
          const owner = { resource, namespace, name, uid };
          owners.set(uid, owner);
          found(owner);
        }
        if (!task.shouldYield()) continue;
        await task.yield();
        if (signal.aborted) return owners;
      }
    }
    return owners;
  }
}
