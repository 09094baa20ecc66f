/**
 * Strategic merge patch: a patch in the shape of the object, applied by the merge rules of the type. Objects and maps
 * merge member by member, null removes, and lists are replaced unless the type merges them. Members that start with `$`
 * are directives (`directives.ts`). As in Kubernetes:
 *
 * - Directives apply only where there is a value to merge with. Elsewhere the patch value is used without nulls and
 *   without objects that have `$patch`. Other directives stay and become unknown fields.
 * - An item added to a list, and all items of a replaced list, are used as they are, with all directives.
 * - Merging two objects needs their type: unknown fields, maps and raw values are not merged deeply.
 *
 * Members are applied in the order of the patch; in Kubernetes this order is random.
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
import { applySetElementOrder } from './set-element-order.ts';
import { malformedPatch, memberPath, inapplicablePatch, type PatchPath } from './patch-error.ts';
import { retainedMembers } from './retain-keys.ts';

/**
 * The patched document, which shares unchanged values with the arguments. Raw values are decoded only if both sides
 * have an object. Field types are not checked. Throws StatusError: BadRequest if the patch itself is wrong, Invalid if
 * it does not fit the object.
 */
export function applyStrategicMergePatch(shape: ObjectShape, document: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject({ type: shape, path: undefined }, document, patch);
}

/** The type and path of the object to merge into. */
interface MergeTarget {
  readonly type: TypeShape;
  readonly path: PatchPath;
}

type JsonMembers = Record<string, JsonValue | undefined>;

function mergeObject(target: MergeTarget, original: JsonObject, patch: JsonObject): JsonObject {
  const directive = memberOf(patch, PATCH);
  if (directive !== undefined) return directedObject(directive, patch, target.path);
  const members = retainedMembers(original, patch, target.path);
  const names = Object.keys(patch);
  const done = new Set([RETAIN_KEYS]);
  for (const name of names) {
    if (patch[name] === undefined || !name.startsWith(SET_ELEMENT_ORDER)) continue;
    done.add(name).add(applyElementOrder(target, members, patch, name));
  }
  for (const name of names) {
    const value = patch[name];
    if (value === undefined || done.has(name)) continue;
    if (name.startsWith(DELETE_FROM_PRIMITIVE_LIST)) deleteFromPrimitiveList(target, members, name, value);
    else mergeMember(target, members, name, value);
  }
  return members;
}

function mergeMember(target: MergeTarget, members: JsonMembers, name: string, value: JsonValue): void {
  const kind = kindOf(value);
  const current = kind === 'null' ? undefined : memberOf(members, name);
  if (current === undefined || kindOf(current) !== kind) {
    const added = kind === 'null' ? undefined : withoutDirectives(value, 'drop');
    if (added === undefined) Reflect.deleteProperty(members, name);
    else setMember<JsonValue | undefined>(members, name, added);
    return;
  }
  setMember<JsonValue | undefined>(members, name, mergeValue(target, name, current, value));
}

/** Both values are of the same kind. */
function mergeValue(target: MergeTarget, name: string, current: JsonValue, value: JsonValue): JsonValue {
  const [before, change] = [objectOf(current), objectOf(value)];
  if (before !== undefined && change !== undefined) {
    const field = objectField(target.type, name);
    const path = memberPath(target.path, name);
    if (field === undefined) throw unknownField(path);
    return field.replaces ? value : mergeObject({ type: field.type, path }, before, change);
  }
  const [list, changes] = [listOf(current), listOf(value)];
  if (list === undefined || changes === undefined) return value;
  return mergeLists(list, changes, listMerger(target, name)).elements;
}

/** Like Kubernetes, ignores the directive for other values than lists, if both are of the same kind. */
function deleteFromPrimitiveList(target: MergeTarget, members: JsonMembers, directive: string, value: JsonValue): void {
  const name = directedField(directive, DELETE_FROM_PRIMITIVE_LIST, target.path);
  if (kindOf(value) === 'null') {
    Reflect.deleteProperty(members, name);
    return;
  }
  const current = memberOf(members, name);
  if (current === undefined || kindOf(current) !== kindOf(value)) return;
  const [list, deleted] = [listOf(current), listOf(value)];
  const bothLists = list !== undefined && deleted !== undefined;
  const left = bothLists ? deleteFromList(list, deleted, listMerger(target, name)) : mergeValue(target, name, current, value);
  setMember<JsonValue | undefined>(members, name, left);
}

/** Returns the name of the field that the directive refers to. */
function applyElementOrder(target: MergeTarget, members: JsonMembers, patch: JsonObject, directive: string): string {
  const name = directedField(directive, SET_ELEMENT_ORDER, target.path);
  const order = listOf(patch[directive]);
  if (order === undefined) throw malformedPatch(memberPath(target.path, directive), 'must be a list');
  const [current, value] = [memberOf(members, name), memberOf(patch, name)];
  const [live, patched] = [listOf(current), listOf(value)];
  const path = memberPath(target.path, name);
  if (value !== undefined && patched === undefined) throw malformedPatch(path, 'must be a list, since the patch orders it');
  if (current !== undefined && live === undefined) throw inapplicablePatch(path, 'is not a list, but the patch orders it');
  const list = applySetElementOrder(live, patched, order, listMerger(target, name));
  if (list !== undefined) setMember<JsonValue | undefined>(members, name, list);
  return name;
}

function listMerger(target: MergeTarget, name: string): ListMerger {
  const path = memberPath(target.path, name);
  const field: ListField | undefined = listField(target.type, name);
  if (field === undefined) throw unknownField(path);
  return { field, path, mergeElement: (live, patch, at) => mergeObject({ type: field.items, path: at }, live, patch) };
}

const unknownField = (path: PatchPath) => inapplicablePatch(path, 'cannot be merged, since the type has no such object or list');
