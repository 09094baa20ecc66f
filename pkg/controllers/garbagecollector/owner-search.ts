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

export interface MissingOwner {
  readonly dependent: LocatedObject<CollectedKind>;
  readonly reference: OwnerReference;
}

export interface OwnerSearchOptions {
  readonly kinds: readonly CollectedKind[];
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly found: (owner: LocatedObject<CollectedKind>, missedBy: readonly MissingOwner[]) => void;
}

const PAUSE_MS = 1000;
/** Further ones are not searched for, and their users not told. */
const MAX_MISSING = 1000;

export class OwnerSearch {
  readonly #options: OwnerSearchOptions;
  #missing: MissingOwner[] = [];
  #wake: (() => void) | undefined;

  constructor(options: OwnerSearchOptions) {
    this.#options = options;
  }

  add(missing: MissingOwner): void {
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
    const { kinds, scheduler, found } = this.#options;
    const byOwner = Map.groupBy(this.#missing, ({ reference }) => reference.uid);
    this.#missing = [];
    const task = new ScheduledTask(scheduler);
    for (const resource of kinds) {
      for (const { uid, namespace, name } of resource.cache.snapshot().page({ selection: {} }).objects) {
        const missedBy = byOwner.get(uid);
        if (missedBy !== undefined) found({ resource, namespace, name, uid }, missedBy);
        if (!task.shouldYield()) continue;
        await task.yield();
        if (signal.aborted) return;
      }
    }
  }
}
