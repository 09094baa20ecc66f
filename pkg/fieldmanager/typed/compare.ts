import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import type { ArrayShape, FieldShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { type FieldSet, FieldSetBuilder } from '../fields/field-set.ts';
import { type PathElement, fieldElement } from '../fields/path-element.ts';
import { isGranular } from './granularity.ts';
import { elementOf } from './list-element.ts';
import { FieldCursor, elementsIn, isBlank, membersIn } from './members.ts';
import { pathsBelow } from './paths-below.ts';

/** What became of an object. Unlike in what somebody owns, a struct that came or went is itself among the paths. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * The paths in which two documents differ. Lists are compared element by element, so their order says nothing, unless they have one owner.
 * Of an element that a list has more than once only the bare element is compared: all its occurrences together are one value.
 *
 * Both have passed `validate`, with duplicates allowed. Parts that are shared cost nothing; two equal CronJobs of 2.7 KB that share nothing cost
 * less than `JSON.stringify` of one.
 */
export function compare(shape: TypeShape, before: JsonValue, after: JsonValue): Comparison {
  const walk = new ComparisonWalk();
  walk.values(shape, isGranular(shape), before, after);
  return walk.comparison();
}

class ComparisonWalk {
  readonly #added = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();
  /** To the value that is looked at. */
  readonly #path: PathElement[] = [];

  comparison(): Comparison {
    return { added: this.#added.build(), modified: this.#modified.build(), removed: this.#removed.build() };
  }

  /** Of values that are both there. */
  values(type: TypeShape, granular: boolean, before: JsonValue, after: JsonValue): void {
    if (before === after) return;
    if (!granular || (isBlank(before) && isBlank(after))) {
      if (!equalJson(before, after)) this.#modified.insert(this.#path);
      return;
    }
    if (type.shape === 'object') this.#structs(type, membersIn(before), membersIn(after));
    else if (type.shape === 'map') this.#maps(type, membersIn(before), membersIn(after));
    else if (type.shape === 'array' && type.merge !== undefined) this.#lists(type, type.merge, elementsIn(before), elementsIn(after));
  }

  #structs(shape: ObjectShape, before: JsonObject, after: JsonObject): void {
    const cursor = new FieldCursor(shape);
    for (const name in after) {
      const value = after[name];
      const old = before[name];
      if (value === old || value === undefined) continue;
      const field = cursor.find(name);
      if (field !== undefined) this.#field(field, old, value);
    }
    for (const name in before) {
      const old = before[name];
      if (old === undefined || after[name] !== undefined) continue;
      const field = cursor.find(name);
      if (field !== undefined) this.#onOneSide(this.#removed, fieldElement(name), field.type, isGranular(field.type, field.atomic), old);
    }
  }

  #field({ name, type, atomic }: FieldShape, before: JsonValue | undefined, after: JsonValue): void {
    const granular = isGranular(type, atomic);
    if (before === undefined) this.#onOneSide(this.#added, fieldElement(name), type, granular, after);
    else this.#onBoth(fieldElement(name), type, granular, before, after);
  }

  #maps({ values }: MapShape, before: JsonObject, after: JsonObject): void {
    const granular = isGranular(values);
    for (const name in after) {
      const value = after[name];
      const old = memberOf(before, name);
      if (value === old || value === undefined) continue;
      if (old === undefined) this.#onOneSide(this.#added, fieldElement(name), values, granular, value);
      else this.#onBoth(fieldElement(name), values, granular, old, value);
    }
    for (const name in before) {
      const old = before[name];
      if (old === undefined || memberOf(after, name) !== undefined) continue;
      this.#onOneSide(this.#removed, fieldElement(name), values, granular, old);
    }
  }

  #lists({ items }: ArrayShape, merge: ListMerge, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    // Telling what elements are known by costs more than finding that all are as they were.
    if (equalJson(before, after)) return;
    const granular = isGranular(items);
    const old = occurrences(merge, before);
    const now = occurrences(merge, after);
    for (const [element, befores] of old) this.#elements(element, items, granular, befores, now.get(element) ?? []);
    for (const [element, afters] of now) if (!old.has(element)) this.#elements(element, items, granular, [], afters);
  }

  /** Of one element, all its occurrences. An element that comes to have duplicates, or ceases to, is another one than it was. */
  #elements(element: PathElement, type: TypeShape, granular: boolean, befores: readonly JsonValue[], afters: readonly JsonValue[]): void {
    if (befores.length > 1 && afters.length > 1) {
      if (!equalJson(befores, afters)) this.#at(this.#modified).add(element);
      return;
    }
    const [before] = befores;
    const [after] = afters;
    if (before !== undefined && after !== undefined && befores.length === afters.length) {
      this.#onBoth(element, type, granular, before, after);
      return;
    }
    if (befores.length > 1) this.#at(this.#removed).add(element);
    else if (before !== undefined) this.#onOneSide(this.#removed, element, type, granular, before);
    if (afters.length > 1) this.#at(this.#added).add(element);
    else if (after !== undefined) this.#onOneSide(this.#added, element, type, granular, after);
  }

  #onBoth(element: PathElement, type: TypeShape, granular: boolean, before: JsonValue, after: JsonValue): void {
    this.#path.push(element);
    this.values(type, granular, before, after);
    this.#path.pop();
  }

  #onOneSide(set: FieldSetBuilder, element: PathElement, type: TypeShape, granular: boolean, value: JsonValue): void {
    const here = this.#at(set).add(element);
    if (granular) here.graft(element, pathsBelow(type, value, true));
  }

  #at(set: FieldSetBuilder): FieldSetBuilder {
    let builder = set;
    for (const element of this.#path) builder = builder.at(element);
    return builder;
  }
}

/** In the order in which the elements are first met. */
function occurrences(merge: ListMerge, list: readonly JsonValue[]): ReadonlyMap<PathElement, readonly JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const value of list) {
    const element = elementOf(merge, value);
    if (element === undefined) continue;
    const known = found.get(element);
    if (known === undefined) found.set(element, [value]);
    else known.push(value);
  }
  return found;
}
