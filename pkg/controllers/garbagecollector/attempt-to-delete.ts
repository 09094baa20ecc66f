/** Decides about one object that may be garbage, as Kubernetes' attemptToDeleteItem does. */
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import type { PropagationPolicy } from '../../apis/kind.ts';
import type { CollectedKind, ObjectLocation } from './collected-kinds.ts';
import { type DependencyGraph, type GraphNode, hasDependents, type Target } from './graph.ts';
import type { LiveObject, ObjectAccess, ReadLive } from './object-access.ts';
import { FOREGROUND_FINALIZER, isDeletingDependents, ORPHAN_FINALIZER, type OwnerReference } from './ownership.ts';

export interface AttemptOptions {
  readonly graph: DependencyGraph<CollectedKind>;
  readonly locate: (reference: OwnerReference, namespace: string) => Target<CollectedKind>;
  readonly access: ObjectAccess;
  /** Looks at an object again, after `delayMs` or at once. */
  readonly attemptToDelete: (uid: string, delayMs?: number) => void;
}

/**
 * Owners that an object does not block any more go on before it is looked at again, and often leave: in Kubernetes the
 * delete fails here, and is retried.
 */
const UNBLOCKED_MS = 50;
/** Deletes of an object that is changed all the time, until it is judged again. */
const MAX_ATTEMPTS = 5;

/** Throws when it has to be tried again. */
export async function attemptToDelete(options: AttemptOptions, uid: string, signal: AbortSignal): Promise<void> {
  const { graph, access } = options;
  const read = await access.createReadLive(signal);
  // The graph is as fresh as the cache.
  const node = graph.get(uid);
  const location = node === undefined ? undefined : locationOf(node);
  if (node === undefined || location === undefined) return;
  const reading = read(location);
  const live = reading instanceof Promise ? await reading : reading;
  // The graph is told of its deletion.
  if (live?.uid !== uid) return;
  const { ownership } = live;
  if (isDeletingDependents(ownership)) return processDeletingDependents(options, node, location, signal);
  if (ownership.isDeleting || ownership.ownerReferences.length === 0) return;
  const owners = await classifyOwners(options, location, ownership.ownerReferences, read);
  if (owners === 'undecided') {
    graph.markUndecided(node);
    return;
  }
  if (owners.solid > 0) {
    const gone = new Set([...owners.dangling, ...owners.waiting]);
    if (gone.size > 0) await access.removeOwnerReferences(location, uid, gone, signal);
    return;
  }
  if (owners.waiting.length > 0 && hasDependents(node)) {
    // Its owner waits for it, and it would wait for its dependents: in a cycle each would wait for ever.
    if (hasDeletingDependent(node) && ownership.ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
      await access.unblockOwners(location, uid, signal);
      options.attemptToDelete(uid, UNBLOCKED_MS);
      return;
    }
    await deleteIfUnchanged(options, location, live, 'Foreground', signal);
    return;
  }
  await deleteIfUnchanged(options, location, live, policyOf(live), signal);
}

export function locationOf({ resource, namespace, name }: GraphNode<CollectedKind>): ObjectLocation | undefined {
  return resource === undefined ? undefined : { resource, namespace, name };
}

/** The last dependent that blocks it lets it go. */
async function processDeletingDependents(
  { graph, access, attemptToDelete: again }: AttemptOptions,
  node: GraphNode<CollectedKind>,
  location: ObjectLocation,
  signal: AbortSignal,
): Promise<void> {
  if (node.blockers === 0) {
    await access.removeFinalizer(location, node.uid, FOREGROUND_FINALIZER, signal);
    return;
  }
  // Those that blocked it when it began to wait were looked at then.
  for (const dependent of graph.takeNewBlockers(node)) if (!dependent.isDeletingDependents) again(dependent.uid);
}

interface ClassifiedOwners {
  /** How many exist, and do not wait for their dependents. */
  readonly solid: number;
  /** The uids of owners that do not exist. */
  readonly dangling: readonly string[];
  /** The uids of owners that wait for the deletion of their dependents. */
  readonly waiting: readonly string[];
}

/** `undecided`: an owner may or may not exist, or is namespaced and the object cluster-scoped, so the object stays. */
async function classifyOwners(
  { locate }: AttemptOptions,
  { namespace }: ObjectLocation,
  references: readonly OwnerReference[],
  read: ReadLive,
): Promise<ClassifiedOwners | 'undecided'> {
  const dangling: string[] = [];
  const waiting: string[] = [];
  let solid = 0;
  for (const reference of references) {
    const target = locate(reference, namespace);
    if (typeof target === 'string') return 'undecided';
    const reading = read(target);
    // The object and its owners are judged in one state: nothing happens until a promise is awaited.
    const owner = reading instanceof Promise ? await reading : reading;
    if (owner?.uid !== reference.uid) dangling.push(reference.uid);
    else if (isDeletingDependents(owner.ownership)) waiting.push(reference.uid);
    else solid++;
  }
  return { solid, dangling, waiting };
}

/** May take others for a cycle, too, and then they are only deleted in another order. */
function hasDeletingDependent({ dependents }: GraphNode<CollectedKind>): boolean {
  for (const dependent of dependents ?? []) if (dependent.isDeletingDependents) return true;
  return false;
}

/** A policy that it was given before is kept. */
function policyOf({ ownership: { finalizers } }: LiveObject): PropagationPolicy {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}

/** Frequent changes of an object that leave its owners alone do not keep it alive. */
async function deleteIfUnchanged(
  { access }: AttemptOptions,
  location: ObjectLocation,
  judged: LiveObject,
  policy: PropagationPolicy,
  signal: AbortSignal,
): Promise<void> {
  const owners = JSON.stringify(judged.ownership.ownerReferences);
  let live = judged;
  for (let attempt = 1; ; attempt++) {
    try {
      await access.delete(location, live, policy, signal);
      return;
    } catch (error) {
      if (!isStatusError(error, 'Conflict') || attempt === MAX_ATTEMPTS) throw error;
      const read = await access.createReadLive(signal);
      const reread = await read(location);
      if (reread?.uid !== judged.uid) return;
      if (JSON.stringify(reread.ownership.ownerReferences) !== owners) throw error;
      live = reread;
    }
  }
}
