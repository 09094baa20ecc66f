import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import type { ArrayShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { isGranular } from './granularity.ts';
import { FieldFinder, elementsOrEmpty, isNullOrEmpty, membersOrEmpty } from './members.ts';
import { mergeLists } from './merge-lists.ts';

/**
 * Sets all values of `config` in `live`. Nothing is removed: null and empty values of `config` replace leaves, but not
 * the members and items of a live struct, map or list. List items have the order of `config` where it contains them.
 *
 * Both must have passed `validate`, `live` with duplicates allowed: an item of `config` replaces all its duplicates in
 * `live`. The result shares unchanged values with `live`, and is `live` itself if nothing changes.
 */
export const merge = (shape: ObjectShape, live: JsonObject, config: JsonObject): JsonObject => mergeStructs(shape, live, config);

/** `live` is absent or null if there is no such value, or if it is not unique. */
function mergeValues(type: TypeShape, granular: boolean, live: JsonValue | undefined, config: JsonValue): JsonValue {
  if (live === undefined || live === config) return config;
  if (!granular || (isNullOrEmpty(live) && isNullOrEmpty(config))) return equalJson(live, config) ? live : config;
  switch (type.shape) {
    case 'object':
      return live === null ? config : mergeStructs(type, membersOrEmpty(live), membersOrEmpty(config));
    case 'map':
      return live === null ? config : mergeMaps(type, membersOrEmpty(live), membersOrEmpty(config));
    case 'array':
      return live === null || type.merge === undefined
        ? config
        : mergeGranularLists(type, type.merge, elementsOrEmpty(live), elementsOrEmpty(config));
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
  // Computing path elements costs more than comparing the lists.
  if (equalJson(live, config)) return live;
  const granular = isGranular(items);
  return mergeLists(merge, live, config, (old, set) => mergeValues(items, granular, old, set));
}

function mergeStructs(shape: ObjectShape, live: JsonObject, config: JsonObject): JsonObject {
  let merged: Record<string, JsonValue | undefined> | undefined;
  const finder = new FieldFinder(shape);
  for (const name in config) {
    const set = config[name];
    const old = live[name];
    if (set === undefined || set === old) continue;
    const field = finder.find(name);
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
