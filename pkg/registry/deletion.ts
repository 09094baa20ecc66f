/** The effect of a delete on an object that may have finalizers. Pure. */
import { nextGeneration } from '../apis/next-generation.ts';
import { toRfc3339Seconds } from '../apimachinery/time/rfc3339.ts';
import type { KubernetesObject, PropagationPolicy, TerminationRules } from '../apis/kind.ts';
import type { DeleteRequest } from './object-store.ts';
import { withMetadata } from './object-meta.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export interface DeletionOptions extends Pick<DeleteRequest, 'propagationPolicy' | 'orphanDependents'> {
  /** Whether propagation policies have an effect. */
  readonly propagates: boolean;
  /** Of the kind, if it has any. */
  readonly termination?: TerminationRules | undefined;
  readonly defaultPolicy: PropagationPolicy;
  readonly nowMs: number;
}

/** `remove`: no finalizers. `hold`: the object stays, marked as deleting; unchanged when it already was. */
export type DeletionPlan = { readonly action: 'remove' } | { readonly action: 'hold'; readonly object: KubernetesObject };

export function planDeletion(stored: KubernetesObject, options: DeletionOptions): DeletionPlan {
  const { termination, nowMs } = options;
  const isMarked = stored.metadata.deletionTimestamp !== undefined;
  if (isMarked && termination?.isHeld(stored) === true) return { action: 'hold', object: stored };
  const before = stored.metadata.finalizers ?? [];
  const begins = termination !== undefined && !isMarked;
  const finalizers = options.propagates ? propagationFinalizers(before, options, begins) : before;
  if (begins) {
    const marked = withMetadata(termination.begin(stored), { deletionTimestamp: toRfc3339Seconds(nowMs) });
    return { action: 'hold', object: sameFinalizers(before, finalizers) ? marked : withMetadata(marked, { finalizers }) };
  }
  if (finalizers.length === 0) return { action: 'remove' };
  const withPolicy = sameFinalizers(before, finalizers) ? stored : withMetadata(stored, { finalizers });
  return { action: 'hold', object: markDeleting(withPolicy, nowMs) };
}

/** Whether an update removes the last thing that holds a deleting object. */
export const releasesDeletion = (object: KubernetesObject, stored: KubernetesObject, termination?: TerminationRules): boolean =>
  stored.metadata.deletionTimestamp !== undefined &&
  (stored.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
  (object.metadata.finalizers ?? []).length === 0 &&
  termination?.isHeld(object) !== true;

/** Removes both policy finalizers and appends the requested one. */
function propagationFinalizers(before: readonly string[], options: DeletionOptions, begins: boolean): readonly string[] {
  const requested = policyFinalizer(before, options, begins);
  const others = before.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  return requested === undefined ? others : [...others, requested];
}

/** The request decides, then a finalizer that is there already, then the kind. */
function policyFinalizer(before: readonly string[], options: DeletionOptions, begins: boolean): string | undefined {
  const { orphanDependents, propagationPolicy, defaultPolicy } = options;
  if (orphanDependents === true) return ORPHAN;
  // As in Kubernetes, a kind that terminates then waits for its dependents; others do not.
  if (orphanDependents === false) return begins ? FOREGROUND : undefined;
  if (propagationPolicy !== undefined) return finalizerOf(propagationPolicy);
  return [ORPHAN, FOREGROUND].find((finalizer) => before.includes(finalizer)) ?? finalizerOf(defaultPolicy);
}

function finalizerOf(policy: PropagationPolicy): string | undefined {
  switch (policy) {
    case 'Orphan':
      return ORPHAN;
    case 'Foreground':
      return FOREGROUND;
    case 'Background':
      return undefined;
    default:
      return policy satisfies never;
  }
}

function markDeleting(object: KubernetesObject, nowMs: number): KubernetesObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation = 0 } = object.metadata;
  if (deletionTimestamp !== undefined) {
    // A future time was a grace period, which these kinds do not have.
    const due = Date.parse(deletionTimestamp) > nowMs ? toRfc3339Seconds(nowMs) : deletionTimestamp;
    if (due === deletionTimestamp && deletionGracePeriodSeconds === 0) return object;
    return withMetadata(object, { deletionTimestamp: due, deletionGracePeriodSeconds: 0 });
  }
  return withMetadata(object, {
    deletionTimestamp: toRfc3339Seconds(nowMs),
    deletionGracePeriodSeconds: 0,
    ...(generation > 0 ? { generation: nextGeneration(generation) } : {}),
  });
}

/** Their order alone is no change. */
const sameFinalizers = (left: readonly string[], right: readonly string[]): boolean =>
  left.every((finalizer) => right.includes(finalizer)) && right.every((finalizer) => left.includes(finalizer));
