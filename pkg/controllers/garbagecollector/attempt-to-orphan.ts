/** Takes an object's dependents from it, then lets it go, as Kubernetes' attemptToOrphanWorker does. */
import { type AttemptOptions, locationOf } from './attempt-to-delete.ts';
import type { CollectedKind } from './collected-kinds.ts';
import type { GraphNode } from './graph.ts';
import { isOrphaningDependents, ORPHAN_FINALIZER } from './ownership.ts';

/** Dependents of one object that are written at once. */
const CONCURRENT_WRITES = 8;

/** Throws when it has to be tried again. */
export async function attemptToOrphan({ graph, access }: AttemptOptions, uid: string, signal: AbortSignal): Promise<void> {
  const read = await access.createReadLive(signal);
  const node = graph.get(uid);
  const location = node === undefined ? undefined : locationOf(node);
  if (node === undefined || location === undefined) return;
  const live = await read(location);
  if (live?.uid !== uid || !isOrphaningDependents(live.ownership)) return;
  const owner = new Set([uid]);
  // The graph removes those that are done from the set, which is allowed while it is iterated.
  const dependents = (node.dependents ?? new Set<GraphNode<CollectedKind>>()).values();
  const orphanNext = async () => {
    for (const dependent of dependents) {
      if (signal.aborted) return;
      const dependentLocation = locationOf(dependent);
      if (dependentLocation === undefined) continue;
      await access.removeOwnerReferences(dependentLocation, dependent.uid, owner, signal);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT_WRITES }, orphanNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  signal.throwIfAborted();
  await access.removeFinalizer(location, uid, ORPHAN_FINALIZER, signal);
}
