import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import type { ArrayShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { isGranular } from './granularity.ts';
import { FieldCursor, elementsIn, isBlank, membersIn } from './members.ts';
import { mergeLists } from './merge-lists.ts';

/**
 * `live` with everything that `config` says. Nothing is taken away: null and empty values of `config` replace a leaf, but what is in a live
 * struct, map or list stays. Elements of lists come in the order of `config` wherever it says something about them, and else stay where
 * they were.
 *
 * Both have passed `validate`, `live` with duplicates allowed: where `config` knows an element that `live` has more than once, the element of
 * `config` replaces them all. The result shares what it can with `live`, to the object itself when `config` changes nothing.
 */
export const merge = (shape: ObjectShape, live: JsonObject, config: JsonObject): JsonObject => mergeStructs(shape, live, config);

/** `live` absent or null: there is none, or there are several of it. */
function mergeValues(type: TypeShape, granular: boolean, live: JsonValue | undefined, config: JsonValue): JsonValue {
  if (live === undefined || live === config) return config;
  if (!granular || (isBlank(live) && isBlank(config))) return equalJson(live, config) ? live : config;
  switch (type.shape) {
    case 'object':
      return live === null ? config : mergeStructs(type, membersIn(live), membersIn(config));
    case 'map':
      return live === null ? config : mergeMaps(type, membersIn(live), membersIn(config));
    case 'array':
      return live === null || type.merge === undefined
        ? config
        : mergeGranularLists(type, type.merge, elementsIn(live), elementsIn(config));
    default:
      return config;
  }
}

function mergeGranularLists(
  { items }: ArrayShape,
  merge: ListMerge,
  live: readonly JsonValue[],
  config: readonly JsonValue[],
): readonly JsonValue[] {
  // Telling what elements are known by costs more than finding that all are as they were.
  if (equalJson(live, config)) return live;
  const granular = isGranular(items);
  return mergeLists(merge, live, config, (old, set) => mergeValues(items, granular, old, set));
}

function mergeStructs(shape: ObjectShape, live: JsonObject, config: JsonObject): JsonObject {
  let merged: Record<string, JsonValue | undefined> | undefined;
  const cursor = new FieldCursor(shape);
  for (const name in config) {
    const set = config[name];
    const old = live[name];
    if (set === undefined || set === old) continue;
    const field = cursor.find(name);
    if (field === undefined) continue;
    const value = mergeValues(field.type, isGranular(field.type, field.atomic), old, set);
    if (value !== old) (merged ??= { ...live })[name] = value;
  }
  return merged ?? live;
}

function mergeMaps({ values }: MapShape, live: JsonObject, config: JsonObject): JsonObject {
  let merged: Record<string, JsonValue | undefined> | undefined;
  const granular = isGranular(values);
  for (const name in config) {
    const set = config[name];
    if (set === undefined) continue;
    const old = memberOf(live, name);
    const value = mergeValues(values, granular, old, set);
    if (value !== old) setMember((merged ??= { ...live }), name, value);
  }
  return merged ?? live;
}
