/** What namespaces hold, over all kinds. */
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import { isView } from '../../apis/kind-view.ts';
import { eachInParallel } from '../../registry/delete-collection.ts';
import type { ObjectName, WriteOptions } from '../../registry/object-store.ts';
import type { ServedKind } from '../../registry/registry.ts';
import type { Key } from '../../storage/keys.ts';
import type { CachedObject, ListPage } from '../../watchcache/watch-cache.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, readOwnership } from '../garbagecollector/ownership.ts';
import type { RemainingContent } from './namespace-conditions.ts';

/** Objects that are deleted between two looks at the Namespace. */
const PAGE_OBJECTS = 500;
/** Objects of each resource that people are told. */
const MAX_NAMED = 5;

/** The first failure of each resource, as `jobs.batch`, whose objects could not all be deleted. */
export type DeletionFailures = ReadonlyMap<string, string>;

interface FoundObject extends ObjectName {
  readonly uid: string;
}

export class NamespaceContents {
  readonly #kinds: readonly ServedKind[];
  readonly #scheduler: Scheduler;

  /** `kinds`: those that have namespaces, with their views. */
  constructor(kinds: readonly ServedKind[], scheduler: Scheduler) {
    this.#kinds = kinds;
    this.#scheduler = scheduler;
  }

  /**
   * Deletes what the cache shows, unreadable objects excepted. `mayDelete` is asked after objects were found and before
   * they are deleted, again and again; false ends it, and the result is undefined.
   */
  async delete(namespace: string, mayDelete: () => Promise<boolean>, options: WriteOptions): Promise<DeletionFailures | undefined> {
    const failures = new Map<string, string>();
    const task = new ScheduledTask(this.#scheduler);
    for (const kind of this.#kinds) {
      if (isView(kind.compiled.kind)) continue;
      const { resource, group } = kind.store.definition;
      const resourceName = `${resource}.${group}`;
      const remove = async (found: FoundObject) => {
        try {
          await deleteFound(kind, found, options);
        } catch (error) {
          options.signal.throwIfAborted();
          if (!failures.has(resourceName)) failures.set(resourceName, errorMessage(error));
        }
      };
      // After a failure the rest waits for the next time: a store that fails is not asked for each object.
      for (let start: Key | undefined, isLast = false; !isLast && !failures.has(resourceName);) {
        const page = kind.cache.snapshot().page({ selection: { namespace }, limit: PAGE_OBJECTS, ...(start && { start }) });
        const found = Array.from(page.objects, (object) => (isToDelete(object) ? [toFound(object)] : [])).flat();
        if (found.length > 0 && !(await mayDelete())) return undefined;
        await eachInParallel(found, remove);
        start = page.next;
        isLast = start === undefined;
        if (task.shouldYield()) await task.yield();
      }
    }
    return failures;
  }

  /** As fresh as a consistent list. */
  async remaining(namespace: string, signal: AbortSignal): Promise<readonly RemainingContent[]> {
    const contents: RemainingContent[] = [];
    for (const kind of this.#kinds) contents.push(await this.#remainingOf(kind, namespace, signal));
    return contents;
  }

  async #remainingOf(kind: ServedKind, namespace: string, signal: AbortSignal): Promise<RemainingContent> {
    const { resource, group } = kind.store.definition;
    const finalizers = new Map<string, number>();
    const task = new ScheduledTask(this.#scheduler);
    const held: string[] = [];
    let count = 0;
    const { page, failure } = await list(kind, namespace, signal);
    for (const { name, itemBytes } of page?.objects ?? []) {
      count++;
      const own = readOwnership(itemBytes).finalizers;
      if (held.length < MAX_NAMED) held.push(`${resource}/${name}: ${own.join(', ')}`);
      for (const finalizer of own) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      if (task.shouldYield()) await task.yield();
    }
    return { resource, group, count, finalizers, held, ...(failure === undefined ? {} : { failure }) };
  }
}

/** With the objects that can be read, and the keys of those that cannot. */
async function list(
  { store, cache }: ServedKind,
  namespace: string,
  signal: AbortSignal,
): Promise<{ readonly page?: ListPage; readonly failure?: string }> {
  const selection = { namespace };
  try {
    return await store.list({ selection, at: { at: 'newest' }, limit: 0 }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isStatusError(error, 'StorageReadError')) return { failure: errorMessage(error) };
    const keys = (error.details?.causes ?? []).flatMap(({ field }) => field ?? []);
    return { page: cache.snapshot().page({ selection }), failure: `${error.message}: ${keys.slice(0, MAX_NAMED).join(', ')}` };
  }
}

/** Another object of that name stays. */
async function deleteFound({ store }: ServedKind, { uid, ...name }: FoundObject, options: WriteOptions): Promise<void> {
  const selection = { namespace: name.namespace };
  try {
    await store.delete(name, { ...options, preconditions: {}, found: { uid, by: selection }, propagationPolicy: 'Background' });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}

const toFound = ({ namespace, name, uid }: CachedObject): FoundObject => ({ namespace, name, uid });

/** Whether a delete changes something. In the background, it also ends the wait for dependents, which go as well. */
function isToDelete({ itemBytes }: CachedObject): boolean {
  const { isDeleting, finalizers } = readOwnership(itemBytes);
  return !isDeleting || finalizers.length === 0 || finalizers.some((each) => each === FOREGROUND_FINALIZER || each === ORPHAN_FINALIZER);
}
