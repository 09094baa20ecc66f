/** Merges lists of primitive values, which are ordered sets. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { normalizeElementOrder } from './element-order.ts';
import type { ToElementKey, ElementKey } from './element-key.ts';

/** The union, without duplicates. */
export function mergePrimitiveLists(live: readonly JsonValue[], patched: readonly JsonValue[], toKey: ToElementKey): readonly JsonValue[] {
  const seen = new Set<ElementKey>();
  const merged: JsonValue[] = [];
  for (const list of [live, patched]) {
    for (const value of list) {
      const key = toKey(value);
      if (seen.has(key)) continue;
      seen.add(key);
      merged.push(value);
    }
  }
  return normalizeElementOrder(merged, patched, live, toKey);
}

/** `$deleteFromPrimitiveList`. */
export function deletePrimitives(live: readonly JsonValue[], deleted: readonly JsonValue[], toKey: ToElementKey): readonly JsonValue[] {
  const removedKeys = new Set(deleted.map(toKey));
  return live.filter((value) => !removedKeys.has(toKey(value)));
}
