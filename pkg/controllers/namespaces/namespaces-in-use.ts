import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { ResourceCache } from '../../watchcache/watch-cache.ts';

/** The names of the namespaces that have objects, each once. */
export async function namespacesInUse(
  resources: readonly ResourceCache[],
  scheduler: Scheduler,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const task = new ScheduledTask(scheduler);
  for (const resource of resources) {
    for (const { namespace } of resource.snapshot().page({ selection: {} }).objects) {
      // A key of another program may have an empty part.
      if (namespace !== '') names.add(namespace);
      if (!task.shouldYield()) continue;
      await task.yield();
      if (signal.aborted) return names;
    }
  }
  return names;
}
