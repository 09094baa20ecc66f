/** `$setElementOrder/<field>`: merges the list of the same patch and orders the result. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { PATCH, withoutDirectives } from './directives.ts';
import { normalizeElementOrder } from './element-order.ts';
import { elementKeyBy, kindOfElements, type ToElementKey } from './element-key.ts';
import { listOf, objectOf } from './json-kind.ts';
import { mergeLists, type ListMerger } from './merge-lists.ts';
import type { MergedList } from './merge-object-lists.ts';
import { malformedPatch, inapplicablePatch } from './patch-error.ts';

/**
 * The merged list in the given order; `undefined` if neither side has one. Throws StatusError if the order lacks
 * elements of `patched`, or has them in a different order.
 */
export function applySetElementOrder(
  live: readonly JsonValue[] | undefined,
  patched: readonly JsonValue[] | undefined,
  order: readonly JsonValue[],
  merger: ListMerger,
): readonly JsonValue[] | undefined {
  const toKey = elementKeyBy(merger.field.mergeKey, merger.path);
  checkOrder(patched ?? [], order, merger, toKey);
  if (live === undefined && patched === undefined) return undefined;
  const merged = mergeIfBoth(live, patched, merger);
  if (kindOfElements(merger.path, live ?? [], patched ?? []) === undefined)
    throw inapplicablePatch(merger.path, 'there are no elements to order');
  return normalizeElementOrder(merged.elements, order, merged.live, toKey);
}

function mergeIfBoth(live: readonly JsonValue[] | undefined, patched: readonly JsonValue[] | undefined, merger: ListMerger): MergedList {
  if (patched === undefined) return { elements: live ?? [], live: live ?? [] };
  if (live === undefined) return { elements: listOf(withoutDirectives(patched, 'keep')) ?? [], live: [] };
  return mergeLists(live, patched, merger);
}

/** One pass over both: elements that only `order` has belong to the live list. */
function checkOrder(patched: readonly JsonValue[], order: readonly JsonValue[], { field, path }: ListMerger, toKey: ToElementKey): void {
  if (order.length === 0 || patched.length === 0) return;
  const keys = order.map(toKey);
  let at = 0;
  for (const element of patched) {
    const directive = memberOf(objectOf(element) ?? {}, PATCH);
    if (directive === 'delete' && field.mergeKey !== undefined) continue;
    if (directive === undefined) at = keys.indexOf(toKey(element), at) + 1;
    // Kubernetes accepts a `$patch: replace` anywhere except after the last element of the order.
    if (directive === undefined ? at === 0 : at === keys.length) {
      throw malformedPatch(path, `$setElementOrder must name every ${field.mergeKey ?? 'value'} of the patch, in the same order`);
    }
  }
}
