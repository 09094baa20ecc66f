/** What a created patch says of a list that merges. */
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { setMember } from '../../pkg/apimachinery/json/set-member.ts';
import { compareByBytes } from '../../pkg/apimachinery/json/write-json.ts';
import type { FieldPath } from '../../pkg/apimachinery/status/field-path.ts';
import { PATCH } from '../../pkg/fieldmanager/strategic-merge-patch/directives.ts';
import { normalizeElementOrder } from '../../pkg/fieldmanager/strategic-merge-patch/element-order.ts';
import {
  elementKeyBy,
  kindOfElements,
  type ToElementKey,
  type ElementKey,
} from '../../pkg/fieldmanager/strategic-merge-patch/element-key.ts';
import { objectOf } from '../../pkg/fieldmanager/strategic-merge-patch/json-kind.ts';

export interface ListDifference {
  /** Of the field itself. */
  readonly changes: readonly JsonValue[];
  /** Of `$deleteFromPrimitiveList`. */
  readonly deleted: readonly JsonValue[];
  /** Of `$setElementOrder`. */
  readonly order: readonly JsonValue[];
}

export type DifferenceOfElements = (before: JsonObject, after: JsonObject, path: FieldPath) => JsonObject;

/** Throws StatusError for elements of different kinds, lists of lists, and objects without the merge key. */
export function listDifference(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  mergeKey: string | undefined,
  path: FieldPath,
  differenceOf: DifferenceOfElements,
): ListDifference {
  if (before.length === 0) return { changes: after, deleted: [], order: [] };
  if (kindOfElements(path, before, after) !== 'object' || mergeKey === undefined) {
    return valuesDifference(before, after, elementKeyBy(undefined, path));
  }
  return objectsDifference(before, after, { mergeKey, path, identify: elementKeyBy(mergeKey, path), differenceOf });
}

interface ObjectElements {
  readonly mergeKey: string;
  readonly path: FieldPath;
  readonly identify: ToElementKey;
  readonly differenceOf: DifferenceOfElements;
}

/**
 * An element and the text by which it is sorted and met with its counterpart: the number 1 and the text "1" are one key
 * here.
 */
interface Keyed {
  readonly element: JsonValue;
  readonly text: string;
}

function objectsDifference(before: readonly JsonValue[], after: readonly JsonValue[], of: ObjectElements): ListDifference {
  const changes: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  const keyOnly = (element: JsonValue): Record<string, JsonValue> => {
    const key: Record<string, JsonValue> = {};
    setMember(key, of.mergeKey, of.identify(element));
    return key;
  };
  for (const { old, next } of pairsOf(sortedByText(before, of.identify), sortedByText(after, of.identify))) {
    if (next === undefined) {
      if (old !== undefined) deleted.push({ ...keyOnly(old.element), [PATCH]: 'delete' });
    } else if (old === undefined) {
      changes.push(next.element);
    } else {
      const difference = of.differenceOf(objectOf(old.element) ?? {}, objectOf(next.element) ?? {}, of.path.key(next.text));
      if (Object.keys(difference).length > 0) changes.push({ ...difference, ...keyOnly(next.element) });
    }
  }
  const all = [...normalizeElementOrder(changes, after, [], of.identify), ...deleted];
  const differs = all.length > 0 || !inSameOrder(before, after, of.identify);
  return { changes: all, deleted: [], order: differs ? after.map(keyOnly) : [] };
}

function valuesDifference(before: readonly JsonValue[], after: readonly JsonValue[], identify: ToElementKey): ListDifference {
  const added: JsonValue[] = [];
  const deleted = new Set<ElementKey>();
  const sorted = sortedByText(before, identify);
  for (const { old, next } of pairsOf(sorted, sortedByText(after, identify))) {
    if (old === undefined && next !== undefined) added.push(next.element);
    if (old !== undefined && next === undefined) deleted.add(identify(old.element));
  }
  // Kubernetes compares what it has sorted with what it has not.
  const sortedBefore = sorted.map(({ element }) => element);
  const differs = deleted.size > 0 || !inSameOrder(sortedBefore, after, identify);
  return { changes: normalizeElementOrder(added, after, [], identify), deleted: [...deleted], order: differs ? after : [] };
}

/** Equal texts in reverse: so does Kubernetes with lists of up to twelve. */
function sortedByText(list: readonly JsonValue[], identify: ToElementKey): readonly Keyed[] {
  const keyed = list.map((element) => ({ element, text: String(identify(element) ?? '<nil>') }));
  return keyed.reverse().sort((a, b) => compareByBytes(a.text, b.text));
}

/** At least one of the two. */
interface Pair {
  readonly old: Keyed | undefined;
  readonly next: Keyed | undefined;
}

/** Both are sorted. Elements of one text meet one by one. */
function pairsOf(before: readonly Keyed[], after: readonly Keyed[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [at, nextAt] = [0, 0];
  while (at < before.length || nextAt < after.length) {
    const [old, next] = [before[at], after[nextAt]];
    const order = old === undefined ? 1 : next === undefined ? -1 : compareByBytes(old.text, next.text);
    if (order <= 0) at++;
    if (order >= 0) nextAt++;
    pairs.push({ old: order <= 0 ? old : undefined, next: order >= 0 ? next : undefined });
  }
  return pairs;
}

const inSameOrder = (before: readonly JsonValue[], after: readonly JsonValue[], identify: ToElementKey): boolean =>
  before.length === after.length && before.every((element, index) => identify(element) === identifyAt(after, index, identify));

function identifyAt(list: readonly JsonValue[], index: number, identify: ToElementKey): ElementKey | undefined {
  const element = list[index];
  return element === undefined ? undefined : identify(element);
}
