/** Lists of plain values that merge: sets with an order. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { arranged } from './element-order.ts';
import type { Identify, Identity } from './identity.ts';

/** Both, each value once. */
export function mergeValueLists(live: readonly JsonValue[], patched: readonly JsonValue[], identify: Identify): readonly JsonValue[] {
  const seen = new Set<Identity>();
  const once: JsonValue[] = [];
  for (const list of [live, patched]) {
    for (const value of list) {
      const identity = identify(value);
      if (seen.has(identity)) continue;
      seen.add(identity);
      once.push(value);
    }
  }
  return arranged(once, patched, live, identify);
}

/** `$deleteFromPrimitiveList`. */
export function withoutValues(live: readonly JsonValue[], deleted: readonly JsonValue[], identify: Identify): readonly JsonValue[] {
  const gone = new Set(deleted.map(identify));
  return live.filter((value) => !gone.has(identify(value)));
}
