import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { ListMerge } from '../../apis/type-shape.ts';
import type { PathElement } from '../fields/path-element.ts';
import { elementOf } from './list-element.ts';

/** `live` undefined: not in the live list; null: there more than once. */
export type MergeElement = (live: JsonValue | undefined, config: JsonValue) => JsonValue;

interface Known {
  readonly element: PathElement;
  readonly value: JsonValue;
}

/**
 * Both lists in one. Elements that both have, the *shared* ones, come in the order of `config`; what only one of them has comes where it stood
 * among its neighbours, the live ones first. Returns `live` itself when it is the result.
 */
export function mergeLists(
  merge: ListMerge,
  live: readonly JsonValue[],
  config: readonly JsonValue[],
  mergeElement: MergeElement,
): readonly JsonValue[] {
  if (config.length === 0) return live;
  const liveElements = knownElements(merge, live);
  const configElements = knownElements(merge, config);
  const liveValues = new Map<PathElement, JsonValue>();
  for (const { element, value } of liveElements) liveValues.set(element, liveValues.has(element) ? null : value);
  const inConfig = new Set(configElements.map(({ element }) => element));
  const shared = configElements.map(({ element }) => element).filter((element) => liveValues.has(element));

  const merged: JsonValue[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  /** Of a shared element: another one comes first. */
  const mustWait = (element: PathElement) => nextShared < shared.length && shared[nextShared] !== element;
  const takeConfig = ({ element, value }: Known): void => {
    taken.add(element);
    merged.push(mergeElement(liveValues.get(element), value));
    if (shared[nextShared] === element) nextShared++;
  };

  let liveAt = 0;
  let configAt = 0;
  while (liveAt < liveElements.length || configAt < configElements.length) {
    const old = liveElements[liveAt];
    const set = configElements[configAt];
    if (old !== undefined && !inConfig.has(old.element)) {
      merged.push(old.value);
      liveAt++;
    } else if (old !== undefined && set !== undefined && old.element !== set.element && mustWait(old.element)) {
      liveAt++;
    } else {
      if (old !== undefined && (old.element === set?.element || taken.has(old.element))) liveAt++;
      if (set !== undefined) takeConfig(set);
      configAt++;
    }
  }
  return merged.length === live.length && merged.every((value, at) => value === live[at]) ? live : merged;
}

function knownElements(merge: ListMerge, list: readonly JsonValue[]): readonly Known[] {
  const known: Known[] = [];
  for (const value of list) {
    const element = elementOf(merge, value);
    if (element !== undefined) known.push({ element, value });
  }
  return known;
}
