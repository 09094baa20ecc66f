/** `$setElementOrder/<field>`: merges the list of the same patch and puts the result in order. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { PATCH, withoutDirectives } from './directives.ts';
import { arranged } from './element-order.ts';
import { identifyBy, kindOfElements, type Identify } from './identity.ts';
import { listOf, objectOf } from './json-kind.ts';
import { mergeLists, type ListMerger } from './merge-lists.ts';
import type { MergedList } from './merge-object-lists.ts';
import { malformedPatch, unfitPatch } from './patch-error.ts';

/**
 * The list of the field: what both make of it, in order. `undefined`: neither has one. Throws StatusError when the order does not name the
 * elements of `patched`, or names them in another order than they stand in.
 */
export function orderedList(
  live: readonly JsonValue[] | undefined,
  patched: readonly JsonValue[] | undefined,
  order: readonly JsonValue[],
  merger: ListMerger,
): readonly JsonValue[] | undefined {
  const identify = identifyBy(merger.field.mergeKey, merger.path);
  checkOrder(patched ?? [], order, merger, identify);
  if (live === undefined && patched === undefined) return undefined;
  const merged = mergeIfBoth(live, patched, merger);
  if (kindOfElements(merger.path, live ?? [], patched ?? []) === undefined) throw unfitPatch(merger.path, 'there are no elements to order');
  return arranged(merged.elements, order, merged.live, identify);
}

function mergeIfBoth(live: readonly JsonValue[] | undefined, patched: readonly JsonValue[] | undefined, merger: ListMerger): MergedList {
  if (patched === undefined) return { elements: live ?? [], live: live ?? [] };
  if (live === undefined) return { elements: listOf(withoutDirectives(patched, 'keep')) ?? [], live: [] };
  return mergeLists(live, patched, merger);
}

/** Both walk forward only: what `order` has beyond `patched` is of the live list. */
function checkOrder(patched: readonly JsonValue[], order: readonly JsonValue[], { field, path }: ListMerger, identify: Identify): void {
  if (order.length === 0 || patched.length === 0) return;
  const identities = order.map(identify);
  let at = 0;
  for (const element of patched) {
    const directive = memberOf(objectOf(element) ?? {}, PATCH);
    if (directive === 'delete' && field.mergeKey !== undefined) continue;
    if (directive === undefined) at = identities.indexOf(identify(element), at) + 1;
    // Kubernetes lets a `$patch: replace` stand anywhere but behind the last element that the order names.
    if (directive === undefined ? at === 0 : at === identities.length) {
      throw malformedPatch(
        path,
        `$setElementOrder must name every ${field.mergeKey ?? 'value'} of the patch, in the order in which they stand there`,
      );
    }
  }
}
