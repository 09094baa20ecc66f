/**
 * The order of a list that was merged: elements that the patch names stand as it names them, the others as they stood, and the two are
 * woven together by where both stood before (the design of `$setElementOrder`, "preserve order in strategic merge patch").
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { Identify, Identity } from './identity.ts';

interface Element {
  readonly value: JsonValue;
  readonly identity: Identity;
}

/** First position of each identity. */
type Positions = ReadonlyMap<Identity, number>;

/** `elements` in order: `named` as the patch has it, `live` as the list had it. Linear but for the sort. */
export function arranged(
  elements: readonly JsonValue[],
  named: readonly JsonValue[],
  live: readonly JsonValue[],
  identify: Identify,
): readonly JsonValue[] {
  const [namedAt, liveAt] = [positionsOf(named, identify), positionsOf(live, identify)];
  const ours: Element[] = [];
  const others: Element[] = [];
  for (const value of elements) {
    const identity = identify(value);
    (namedAt.has(identity) ? ours : others).push({ value, identity });
  }
  return woven(sorted(others, liveAt), sorted(ours, namedAt), liveAt);
}

function positionsOf(list: readonly JsonValue[], identify: Identify): Positions {
  const positions = new Map<Identity, number>();
  for (const [position, element] of list.entries()) {
    const identity = identify(element);
    if (!positions.has(identity)) positions.set(identity, position);
  }
  return positions;
}

/** An element of `others` comes first only if it is known to have stood before the next of `ours`. */
function woven(others: readonly Element[], ours: readonly Element[], liveAt: Positions): readonly JsonValue[] {
  const all: JsonValue[] = [];
  let at = 0;
  for (const next of ours) {
    const limit = liveAt.get(next.identity) ?? -1;
    for (let other = others[at]; other !== undefined && (liveAt.get(other.identity) ?? limit) < limit; other = others[++at]) {
      all.push(other.value);
    }
    all.push(next.value);
  }
  for (const other of others.slice(at)) all.push(other.value);
  return all;
}

/**
 * Elements that have no position, which only an empty `$setElementOrder` leaves, go before whatever stands in front of them: so does
 * Kubernetes, as long as the list is as short as this.
 */
const INSERTED_ONE_BY_ONE = 20;

function sorted(elements: Element[], positions: Positions): readonly Element[] {
  const positionOf = ({ identity }: Element) => positions.get(identity);
  if (elements.length > INSERTED_ONE_BY_ONE || elements.every((element) => positionOf(element) !== undefined)) {
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
