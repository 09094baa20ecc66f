/**
 * Orders a merged list: elements in the patch have the order of the patch, the others keep theirs, and both are merged
 * by their positions in the live list. See the Kubernetes design "preserve order in strategic merge patch".
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { ToElementKey, ElementKey } from './element-key.ts';

interface Element {
  readonly value: JsonValue;
  readonly key: ElementKey;
}

/** First position of each key. */
type Positions = ReadonlyMap<ElementKey, number>;

/** Sorts `elements` by their order in the patch and in the live list. Linear except for the sort. */
export function normalizeElementOrder(
  elements: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  live: readonly JsonValue[],
  toKey: ToElementKey,
): readonly JsonValue[] {
  const [patchPositions, livePositions] = [positionsOf(patchOrder, toKey), positionsOf(live, toKey)];
  const patchItems: Element[] = [];
  const liveOnlyItems: Element[] = [];
  for (const value of elements) {
    const key = toKey(value);
    (patchPositions.has(key) ? patchItems : liveOnlyItems).push({ value, key });
  }
  return mergeByLiveOrder(sorted(liveOnlyItems, livePositions), sorted(patchItems, patchPositions), livePositions);
}

function positionsOf(list: readonly JsonValue[], toKey: ToElementKey): Positions {
  const positions = new Map<ElementKey, number>();
  for (const [position, element] of list.entries()) {
    const key = toKey(element);
    if (!positions.has(key)) positions.set(key, position);
  }
  return positions;
}

/** A live-only item comes first only if it stood before the next patch item in the live list. */
function mergeByLiveOrder(
  liveOnlyItems: readonly Element[],
  patchItems: readonly Element[],
  livePositions: Positions,
): readonly JsonValue[] {
  const all: JsonValue[] = [];
  let at = 0;
  for (const next of patchItems) {
    const limit = livePositions.get(next.key) ?? -1;
    for (
      let other = liveOnlyItems[at];
      other !== undefined && (livePositions.get(other.key) ?? limit) < limit;
      other = liveOnlyItems[++at]
    ) {
      all.push(other.value);
    }
    all.push(next.value);
  }
  for (const other of liveOnlyItems.slice(at)) all.push(other.value);
  return all;
}

/**
 * Elements without a position, which only an empty `$setElementOrder` causes, move before their predecessors. In
 * Kubernetes this happens up to the length that Go sorts by insertion sort.
 */
const MAX_INSERTION_SORT = 20;

function sorted(elements: Element[], positions: Positions): readonly Element[] {
  const positionOf = ({ key }: Element) => positions.get(key);
  if (elements.length > MAX_INSERTION_SORT || elements.every((element) => positionOf(element) !== undefined)) {
    return elements.sort((a, b) => (positionOf(a) ?? -1) - (positionOf(b) ?? -1));
  }
  const list: Element[] = [];
  for (const element of elements) {
    const position = positionOf(element);
    const stop = list.findLastIndex((before) => {
      const reached = positionOf(before);
      return position !== undefined && reached !== undefined && reached <= position;
    });
    list.splice(stop + 1, 0, element);
  }
  return list;
}
