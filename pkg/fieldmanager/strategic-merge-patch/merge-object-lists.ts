/** Merges lists of objects by key. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import type { FieldPath } from '../../apimachinery/status/field-path.ts';
import { PATCH } from './directives.ts';
import { normalizeElementOrder } from './element-order.ts';
import { elementKeyBy, type ToElementKey, type ElementKey } from './element-key.ts';
import { objectOf } from './json-kind.ts';
import { malformedPatch } from './patch-error.ts';

export type MergeElement = (live: JsonObject, patch: JsonObject, path: FieldPath) => JsonObject;

export interface MergedList {
  readonly elements: readonly JsonValue[];
  /** The live list for `$setElementOrder`. Kubernetes merges in place, so added elements replace deleted ones first. */
  readonly live: readonly JsonValue[];
}

/** All elements must be objects. Throws StatusError for a missing merge key or an unknown directive. */
export function mergeObjectLists(
  live: readonly JsonValue[],
  patched: readonly JsonValue[],
  mergeKey: string,
  path: FieldPath,
  mergeElement: MergeElement,
): MergedList {
  const toKey = elementKeyBy(mergeKey, path);
  const { changes, deleted, replaces } = readElements(patched, mergeKey, path, toKey);
  const hasKey = (element: JsonValue) => memberOf(objectOf(element) ?? {}, mergeKey) !== undefined;
  const remaining = deleted.size === 0 ? live : live.filter((element) => !hasKey(element) || !deleted.has(toKey(element)));
  if (replaces) return { elements: normalizeElementOrder(changes, [], changes, toKey), live: remaining };
  const elements = [...remaining];
  const positions = new Map<ElementKey, number>();
  for (const [position, element] of remaining.entries()) {
    if (hasKey(element) && !positions.has(toKey(element))) positions.set(toKey(element), position);
  }
  for (const [index, change] of changes.entries()) {
    const key = toKey(change);
    const position = positions.get(key);
    const before = position === undefined ? undefined : objectOf(elements[position]);
    if (position === undefined || before === undefined) {
      positions.set(key, elements.push(change) - 1);
    } else {
      elements[position] = mergeElement(before, objectOf(change) ?? {}, path.index(index));
    }
  }
  return { elements: normalizeElementOrder(elements, changes, remaining, toKey), live: elements.slice(0, live.length) };
}

interface PatchElements {
  /** Elements without a directive. */
  readonly changes: readonly JsonValue[];
  readonly deleted: ReadonlySet<ElementKey>;
  /** An element has `$patch: replace`: the changes are the whole list. */
  readonly replaces: boolean;
}

function readElements(patched: readonly JsonValue[], mergeKey: string, path: FieldPath, toKey: ToElementKey): PatchElements {
  const changes: JsonValue[] = [];
  const deleted = new Set<ElementKey>();
  let replaces = false;
  for (const [index, element] of patched.entries()) {
    const directive = memberOf(objectOf(element) ?? {}, PATCH);
    if (directive === undefined) changes.push(element);
    else if (directive === 'delete') deleted.add(toKey(element));
    else if (directive === 'replace') replaces = true;
    else throw malformedPatch(path.index(index).child(PATCH), `must be "delete" or "replace" in a list merged by ${mergeKey}`);
  }
  return { changes, deleted, replaces };
}
