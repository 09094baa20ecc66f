/** Lists of objects that merge by key. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import type { FieldPath } from '../../apimachinery/status/field-path.ts';
import { PATCH } from './directives.ts';
import { arranged } from './element-order.ts';
import { identifyBy, type Identify, type Identity } from './identity.ts';
import { objectOf } from './json-kind.ts';
import { malformedPatch } from './patch-error.ts';

export type MergeElement = (live: JsonObject, patch: JsonObject, path: FieldPath) => JsonObject;

export interface MergedList {
  readonly elements: readonly JsonValue[];
  /**
   * The list that `$setElementOrder` takes for the live one. Kubernetes merges in place: what was added first stands there where
   * deletions have made room.
   */
  readonly live: readonly JsonValue[];
}

/** All elements of both lists are objects. Throws StatusError for one without the merge key and for a directive that is none. */
export function mergeObjectLists(
  live: readonly JsonValue[],
  patched: readonly JsonValue[],
  mergeKey: string,
  path: FieldPath,
  mergeElement: MergeElement,
): MergedList {
  const identify = identifyBy(mergeKey, path);
  const { changes, deleted, replaces } = readElements(patched, mergeKey, path, identify);
  const hasKey = (element: JsonValue) => memberOf(objectOf(element) ?? {}, mergeKey) !== undefined;
  const staying = deleted.size === 0 ? live : live.filter((element) => !hasKey(element) || !deleted.has(identify(element)));
  if (replaces) return { elements: arranged(changes, [], changes, identify), live: staying };
  const elements = [...staying];
  const positions = new Map<Identity, number>();
  for (const [position, element] of staying.entries()) {
    if (hasKey(element) && !positions.has(identify(element))) positions.set(identify(element), position);
  }
  for (const [index, change] of changes.entries()) {
    const identity = identify(change);
    const position = positions.get(identity);
    const before = position === undefined ? undefined : objectOf(elements[position]);
    if (position === undefined || before === undefined) {
      positions.set(identity, elements.push(change) - 1);
    } else {
      elements[position] = mergeElement(before, objectOf(change) ?? {}, path.index(index));
    }
  }
  return { elements: arranged(elements, changes, staying, identify), live: elements.slice(0, live.length) };
}

interface PatchElements {
  /** Those without a directive. */
  readonly changes: readonly JsonValue[];
  readonly deleted: ReadonlySet<Identity>;
  /** `$patch: replace` on any element: the changes are the whole list. */
  readonly replaces: boolean;
}

function readElements(patched: readonly JsonValue[], mergeKey: string, path: FieldPath, identify: Identify): PatchElements {
  const changes: JsonValue[] = [];
  const deleted = new Set<Identity>();
  let replaces = false;
  for (const [index, element] of patched.entries()) {
    const directive = memberOf(objectOf(element) ?? {}, PATCH);
    if (directive === undefined) changes.push(element);
    else if (directive === 'delete') deleted.add(identify(element));
    else if (directive === 'replace') replaces = true;
    else throw malformedPatch(path.index(index).child(PATCH), `must be "delete" or "replace" in a list merged by ${mergeKey}`);
  }
  return { changes, deleted, replaces };
}
