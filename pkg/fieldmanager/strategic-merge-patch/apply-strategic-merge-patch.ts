/**
 * Strategic merge patch: a patch in the form of the object, applied by the rules that the type gives its lists. Objects and maps merge
 * member by member, null removes, lists are replaced unless the type has them merged: by key, or as sets of values. Members that start with
 * `$` are directives (`directives.ts`). Behaves as Kubernetes' own, including what nobody would have asked for:
 *
 * - Directives are obeyed only where there is something to merge with; elsewhere the patch is taken as it is, without nulls and without
 *   objects that have `$patch`, but with all other directives, which then are unknown fields.
 * - An element that is added to a list which has others, and all of a list that is replaced, is taken without even that.
 * - An object in an object's place needs a type that knows it: nothing merges deeper into unknown fields, maps and raw values.
 *
 * Where Kubernetes leaves the order of members to chance, they are taken as they stand in the patch.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import type { ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import {
  DELETE_FROM_PRIMITIVE_LIST,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  directedField,
  directedObject,
  withoutDirectives,
} from './directives.ts';
import { listField, objectField, type ListField } from './field-rules.ts';
import { kindOf, listOf, objectOf } from './json-kind.ts';
import { deleteFromList, mergeLists, type ListMerger } from './merge-lists.ts';
import { orderedList } from './ordered-list.ts';
import { malformedPatch, memberPath, unfitPatch, type PatchPath } from './patch-error.ts';
import { retainedMembers } from './retain-keys.ts';

/**
 * The patched document; what does not change is shared with the arguments, which stay as they are. A raw value is looked into only where
 * both sides have an object. Throws StatusError: BadRequest for a patch that is wrong in itself, Invalid for one that does not fit the
 * object. Types of fields are not checked: the result may hold anything that the patch does.
 */
export function applyStrategicMergePatch(shape: ObjectShape, document: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject({ type: shape, path: undefined }, document, patch);
}

/** Where an object stands, and what is known of it. */
interface Place {
  readonly type: TypeShape;
  readonly path: PatchPath;
}

type Members = Record<string, JsonValue | undefined>;

function mergeObject(place: Place, original: JsonObject, patch: JsonObject): JsonObject {
  const directive = memberOf(patch, PATCH);
  if (directive !== undefined) return directedObject(directive, patch, place.path);
  const members = retainedMembers(original, patch, place.path);
  const names = Object.keys(patch);
  const done = new Set([RETAIN_KEYS]);
  for (const name of names) {
    if (patch[name] === undefined || !name.startsWith(SET_ELEMENT_ORDER)) continue;
    done.add(name).add(mergeInOrder(place, members, patch, name));
  }
  for (const name of names) {
    const value = patch[name];
    if (value === undefined || done.has(name)) continue;
    if (name.startsWith(DELETE_FROM_PRIMITIVE_LIST)) deleteMember(place, members, name, value);
    else mergeMember(place, members, name, value);
  }
  return members;
}

function mergeMember(place: Place, members: Members, name: string, value: JsonValue): void {
  const kind = kindOf(value);
  const current = kind === 'null' ? undefined : memberOf(members, name);
  if (current === undefined || kindOf(current) !== kind) {
    const added = kind === 'null' ? undefined : withoutDirectives(value, 'drop');
    if (added === undefined) Reflect.deleteProperty(members, name);
    else setMember<JsonValue | undefined>(members, name, added);
    return;
  }
  setMember<JsonValue | undefined>(members, name, mergeValue(place, name, current, value));
}

/** Both are of one kind. */
function mergeValue(place: Place, name: string, current: JsonValue, value: JsonValue): JsonValue {
  const [before, change] = [objectOf(current), objectOf(value)];
  if (before !== undefined && change !== undefined) {
    const field = objectField(place.type, name);
    const path = memberPath(place.path, name);
    if (field === undefined) throw unknownField(path);
    return field.replaces ? value : mergeObject({ type: field.type, path }, before, change);
  }
  const [list, changes] = [listOf(current), listOf(value)];
  if (list === undefined || changes === undefined) return value;
  return mergeLists(list, changes, listMerger(place, name)).elements;
}

/** Everything but lists is treated as in a patch without the directive, but only where both are of one kind: so does Kubernetes. */
function deleteMember(place: Place, members: Members, directive: string, value: JsonValue): void {
  const name = directedField(directive, DELETE_FROM_PRIMITIVE_LIST, place.path);
  if (kindOf(value) === 'null') {
    Reflect.deleteProperty(members, name);
    return;
  }
  const current = memberOf(members, name);
  if (current === undefined || kindOf(current) !== kindOf(value)) return;
  const [list, deleted] = [listOf(current), listOf(value)];
  const bothLists = list !== undefined && deleted !== undefined;
  const left = bothLists ? deleteFromList(list, deleted, listMerger(place, name)) : mergeValue(place, name, current, value);
  setMember<JsonValue | undefined>(members, name, left);
}

/** The name of the field that the directive is about. */
function mergeInOrder(place: Place, members: Members, patch: JsonObject, directive: string): string {
  const name = directedField(directive, SET_ELEMENT_ORDER, place.path);
  const order = listOf(patch[directive]);
  if (order === undefined) throw malformedPatch(memberPath(place.path, directive), 'must be a list');
  const [current, value] = [memberOf(members, name), memberOf(patch, name)];
  const [live, patched] = [listOf(current), listOf(value)];
  const path = memberPath(place.path, name);
  if (value !== undefined && patched === undefined) throw malformedPatch(path, 'must be a list, since the patch orders it');
  if (current !== undefined && live === undefined) throw unfitPatch(path, 'is no list, which the patch orders');
  const list = orderedList(live, patched, order, listMerger(place, name));
  if (list !== undefined) setMember<JsonValue | undefined>(members, name, list);
  return name;
}

function listMerger(place: Place, name: string): ListMerger {
  const path = memberPath(place.path, name);
  const field: ListField | undefined = listField(place.type, name);
  if (field === undefined) throw unknownField(path);
  return { field, path, mergeElement: (live, patch, at) => mergeObject({ type: field.items, path: at }, live, patch) };
}

const unknownField = (path: PatchPath) => unfitPatch(path, 'cannot be merged, since the type has no such field of this form');
