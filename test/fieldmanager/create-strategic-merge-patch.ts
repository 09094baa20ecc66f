/** The strategic merge patch between two documents: what `kubectl` sends for an edit (a two-way patch). */
import { equalJson } from '../../pkg/apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { memberOf } from '../../pkg/apimachinery/json/member-of.ts';
import { setMember } from '../../pkg/apimachinery/json/set-member.ts';
import { compareByBytes } from '../../pkg/apimachinery/json/write-json.ts';
import type { ObjectShape, TypeShape } from '../../pkg/apis/type-shape.ts';
import { listDifference } from './list-difference.ts';
import { DELETE_FROM_PRIMITIVE_LIST, RETAIN_KEYS, SET_ELEMENT_ORDER } from '../../pkg/fieldmanager/strategic-merge-patch/directives.ts';
import { listField, objectField } from '../../pkg/fieldmanager/strategic-merge-patch/field-rules.ts';
import { kindOf, listOf, objectOf } from '../../pkg/fieldmanager/strategic-merge-patch/json-kind.ts';
import { memberPath, inapplicablePatch, type PatchPath } from '../../pkg/fieldmanager/strategic-merge-patch/patch-error.ts';

const listDirective = (directive: string, field: string): string => `${directive}/${field}`;

/**
 * Applied to `original` it gives `modified`, but for the order of elements with equal merge keys, and members that are
 * null in `modified`, which become absent. Empty when nothing differs, but: a field of strategy `replace` that both
 * have is always there, and so is the order of a list of values that is not sorted. Throws StatusError where the two
 * cannot be expressed as a patch, such as elements without merge key, or different objects in a field that the type
 * does not know.
 */
export function createStrategicMergePatch(shape: ObjectShape, original: JsonObject, modified: JsonObject): JsonObject {
  return differenceOf({ type: shape, retainsKeys: false, path: undefined }, original, modified);
}

interface Place {
  readonly type: TypeShape;
  /** Whether the patch says which members stay. */
  readonly retainsKeys: boolean;
  readonly path: PatchPath;
}

type Patch = Record<string, JsonValue>;

function differenceOf(place: Place, original: JsonObject, modified: JsonObject): JsonObject {
  const patch: Patch = {};
  const retained: string[] = [];
  for (const name of Object.keys(modified)) {
    const value = modified[name];
    if (value === undefined) continue;
    if (value !== null) retained.push(name);
    addDifference(place, patch, name, memberOf(original, name), value);
  }
  for (const name of Object.keys(original)) {
    if (original[name] !== undefined && memberOf(modified, name) === undefined) setMember<JsonValue>(patch, name, null);
  }
  if (place.retainsKeys && retained.length > 0 && Object.keys(patch).length > 0) patch[RETAIN_KEYS] = retained.sort(compareByBytes);
  return patch;
}

function addDifference(place: Place, patch: Patch, name: string, before: JsonValue | undefined, after: JsonValue): void {
  if (before === undefined || kindOf(before) !== kindOf(after)) {
    setMember(patch, name, after);
    return;
  }
  const [object, newObject] = [objectOf(before), objectOf(after)];
  const [list, newList] = [listOf(before), listOf(after)];
  if (object !== undefined && newObject !== undefined) addObjectDifference(place, patch, name, object, newObject, after);
  else if (list !== undefined && newList !== undefined) addListDifference(place, patch, name, list, newList, after);
  else if (!equalJson(before, after)) setMember(patch, name, after);
}

function addObjectDifference(place: Place, patch: Patch, name: string, before: JsonObject, after: JsonObject, whole: JsonValue): void {
  const field = objectField(place.type, name);
  if (field === undefined) {
    if (!equalJson(before, after)) throw unknownField(place, name);
  } else if (field.replaces) {
    setMember(patch, name, whole);
  } else {
    const inner = { type: field.type, retainsKeys: field.retainsKeys, path: memberPath(place.path, name) };
    const difference = differenceOf(inner, before, after);
    if (Object.keys(difference).length > 0) setMember<JsonValue>(patch, name, difference);
  }
}

function addListDifference(
  place: Place,
  patch: Patch,
  name: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  whole: JsonValue,
): void {
  const field = listField(place.type, name);
  if (field?.merges !== true) {
    if (equalJson(before, after)) return;
    if (field === undefined) throw unknownField(place, name);
    setMember(patch, name, whole);
    return;
  }
  const path = memberPath(place.path, name);
  const difference = listDifference(before, after, field.mergeKey, path, (old, next, at) =>
    differenceOf({ type: field.items, retainsKeys: field.retainsKeys, path: at }, old, next),
  );
  if (difference.changes.length > 0) setMember<JsonValue>(patch, name, difference.changes);
  if (difference.deleted.length > 0) patch[listDirective(DELETE_FROM_PRIMITIVE_LIST, name)] = difference.deleted;
  if (difference.order.length > 0) patch[listDirective(SET_ELEMENT_ORDER, name)] = difference.order;
}

const unknownField = (place: Place, name: string) =>
  inapplicablePatch(memberPath(place.path, name), 'differs, and the type has no such field of this form');
