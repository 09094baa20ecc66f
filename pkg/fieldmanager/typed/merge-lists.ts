import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { ListMerge } from '../../apis/type-shape.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { listPathElement } from './list-path-element.ts';

/** `live` is undefined if the item is not in the live list, and null if it is there more than once. */
export type MergeListItem = (live: JsonValue | undefined, config: JsonValue) => JsonValue;

interface ListItem {
  readonly element: PathElement;
  readonly value: JsonValue;
}

/**
 * Merges both lists. Items of both lists (*shared* items) have the order of `config`. Other items keep their relative
 * position, live ones first. Returns `live` itself if it is the result.
 */
export function mergeLists(
  merge: ListMerge,
  live: readonly JsonValue[],
  config: readonly JsonValue[],
  mergeItem: MergeListItem,
): readonly JsonValue[] {
  if (config.length === 0) return live;
  const liveElements = toListItems(merge, live);
  const configElements = toListItems(merge, config);
  const liveValues = new Map<PathElement, JsonValue>();
  for (const { element, value } of liveElements) liveValues.set(element, liveValues.has(element) ? null : value);
  const inConfig = new Set(configElements.map(({ element }) => element));
  const shared = configElements.map(({ element }) => element).filter((element) => liveValues.has(element));

  const merged: JsonValue[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  /** Whether `element` is shared and another shared item comes first. */
  const mustWait = (element: PathElement) => nextShared < shared.length && shared[nextShared] !== element;
  const takeConfig = ({ element, value }: ListItem): void => {
    taken.add(element);
    merged.push(mergeItem(liveValues.get(element), value));
    if (shared[nextShared] === element) nextShared++;
  };

  let liveAt = 0;
  let configAt = 0;
  while (liveAt < liveElements.length || configAt < configElements.length) {
    const liveItem = liveElements[liveAt];
    const configItem = configElements[configAt];
    if (liveItem !== undefined && !inConfig.has(liveItem.element)) {
      merged.push(liveItem.value);
      liveAt++;
    } else if (
      liveItem !== undefined &&
      configItem !== undefined &&
      liveItem.element !== configItem.element &&
      mustWait(liveItem.element)
    ) {
      liveAt++;
    } else {
      if (liveItem !== undefined && (liveItem.element === configItem?.element || taken.has(liveItem.element))) liveAt++;
      if (configItem !== undefined) takeConfig(configItem);
      configAt++;
    }
  }
  return merged.length === live.length && merged.every((value, at) => value === live[at]) ? live : merged;
}

function toListItems(merge: ListMerge, list: readonly JsonValue[]): readonly ListItem[] {
  const items: ListItem[] = [];
  for (const value of list) {
    const element = listPathElement(merge, value);
    if (element !== undefined) items.push({ element, value });
  }
  return items;
}
