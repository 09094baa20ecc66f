/** The conditions of a Namespace that is being deleted, as Kubernetes' namespace controller writes them. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';

/** What is left of one resource, or why it could not be deleted. */
export interface RemainingContent {
  readonly resource: string;
  readonly group: string;
  readonly count: number;
  /** Number of objects with each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Some of the objects with their finalizers, for people. */
  readonly held: readonly string[];
  readonly failure?: string;
}

interface TerminationCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const fine = (type: string, reason: string, message: string): TerminationCondition => ({ type, status: 'False', reason, message });
const problem = (type: string, reason: string, message: string): TerminationCondition => ({ type, status: 'True', reason, message });

/** In their order. The first two never have a problem here: the kinds are known without asking anybody. */
export function namespaceConditions(contents: readonly RemainingContent[]): readonly TerminationCondition[] {
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine('NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    deletionCondition(contents),
    contentCondition(contents),
    finalizerCondition(contents),
  ];
}

function deletionCondition(contents: readonly RemainingContent[]): TerminationCondition {
  const type = 'NamespaceDeletionContentFailure';
  const failures = contents.flatMap(({ failure }) => failure ?? []).sort();
  if (failures.length === 0) return fine(type, 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization');
  const message = `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`;
  return problem(type, 'ContentDeletionFailed', message);
}

function contentCondition(contents: readonly RemainingContent[]): TerminationCondition {
  const type = 'NamespaceContentRemaining';
  const left = contents.filter(({ count }) => count > 0);
  if (left.length === 0) return fine(type, 'ContentRemoved', 'All content successfully removed');
  const texts = left.map(({ resource, group, count }) => `${resource}.${group} has ${count} resource instances`).sort();
  return problem(type, 'SomeResourcesRemain', `Some resources are remaining: ${texts.join(', ')}`);
}

function finalizerCondition(contents: readonly RemainingContent[]): TerminationCondition {
  const type = 'NamespaceFinalizersRemaining';
  const counts = new Map<string, number>();
  for (const { finalizers } of contents) {
    for (const [finalizer, count] of finalizers) counts.set(finalizer, (counts.get(finalizer) ?? 0) + count);
  }
  if (counts.size === 0) return fine(type, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished');
  const texts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  return problem(type, 'SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`);
}

/**
 * The stored conditions with these in them; the stored ones themselves if nothing changes. Conditions of others stay.
 * `now`: the time of a changed status.
 */
export function withConditions(
  stored: readonly JsonObject[] | undefined,
  conditions: readonly TerminationCondition[],
  now: string,
): readonly JsonObject[] | undefined {
  const next = [...(stored ?? [])];
  let isChanged = false;
  for (const { type, status, reason, message } of conditions) {
    const at = next.findIndex((each) => each['type'] === type);
    const before = next[at];
    if (before !== undefined && before['status'] === status && before['reason'] === reason && before['message'] === message) continue;
    isChanged = true;
    const lastTransitionTime = before?.['status'] === status ? before['lastTransitionTime'] : now;
    const condition = { type, status, lastTransitionTime, reason, message };
    if (before === undefined) next.push(condition);
    else next[at] = condition;
  }
  return isChanged ? next : stored;
}
