import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import type { ArrayShape, FieldShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { type FieldSet, FieldSetBuilder } from '../fieldpath/field-set.ts';
import { type PathElement, fieldElement } from '../fieldpath/path-element.ts';
import { isGranular } from './granularity.ts';
import { listPathElement } from './list-path-element.ts';
import { FieldFinder, elementsOrEmpty, isNullOrEmpty, membersOrEmpty } from './members.ts';
import { pathsBelow } from './paths-below.ts';

/** The result of a comparison. Unlike in field sets of owners, an added or removed struct is itself a path. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * The paths in which two documents differ. Lists are compared item by item, in any order, unless they are atomic. All
 * occurrences of a repeated list item are compared as one value.
 *
 * Both documents must have passed `validate`, with duplicates allowed. Shared values cost nothing; comparing two equal
 * CronJobs of 2.7 KB that share nothing costs less than `JSON.stringify` of one.
 */
export function compare(shape: TypeShape, before: JsonValue, after: JsonValue): Comparison {
  const walk = new ComparisonWalker();
  walk.values(shape, isGranular(shape), before, after);
  return walk.comparison();
}

class ComparisonWalker {
  readonly #added = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();
  /** The path of the current value. */
  readonly #path: PathElement[] = [];

  comparison(): Comparison {
    return { added: this.#added.build(), modified: this.#modified.build(), removed: this.#removed.build() };
  }

  /** Compares values that are present on both sides. */
  values(type: TypeShape, granular: boolean, before: JsonValue, after: JsonValue): void {
    if (before === after) return;
    if (!granular || (isNullOrEmpty(before) && isNullOrEmpty(after))) {
      if (!equalJson(before, after)) this.#modified.insert(this.#path);
      return;
    }
    if (type.shape === 'object') this.#structs(type, membersOrEmpty(before), membersOrEmpty(after));
    else if (type.shape === 'map') this.#maps(type, membersOrEmpty(before), membersOrEmpty(after));
    else if (type.shape === 'array' && type.merge !== undefined)
      this.#lists(type, type.merge, elementsOrEmpty(before), elementsOrEmpty(after));
  }

  #structs(shape: ObjectShape, before: JsonObject, after: JsonObject): void {
    const finder = new FieldFinder(shape);
    for (const name in after) {
      const value = after[name];
      const old = before[name];
      if (value === old || value === undefined) continue;
      const field = finder.find(name);
      if (field !== undefined) this.#field(field, old, value);
    }
    for (const name in before) {
      const old = before[name];
      if (old === undefined || after[name] !== undefined) continue;
      const field = finder.find(name);
      if (field !== undefined)
        this.#addedOrRemoved(this.#removed, fieldElement(name), field.type, isGranular(field.type, field.atomic), old);
    }
  }

  #field({ name, type, atomic }: FieldShape, before: JsonValue | undefined, after: JsonValue): void {
    const granular = isGranular(type, atomic);
    if (before === undefined) this.#addedOrRemoved(this.#added, fieldElement(name), type, granular, after);
    else this.#inBoth(fieldElement(name), type, granular, before, after);
  }

  #maps({ values }: MapShape, before: JsonObject, after: JsonObject): void {
    const granular = isGranular(values);
    for (const name in after) {
      const value = after[name];
      const old = memberOf(before, name);
      if (value === old || value === undefined) continue;
      if (old === undefined) this.#addedOrRemoved(this.#added, fieldElement(name), values, granular, value);
      else this.#inBoth(fieldElement(name), values, granular, old, value);
    }
    for (const name in before) {
      const old = before[name];
      if (old === undefined || memberOf(after, name) !== undefined) continue;
      this.#addedOrRemoved(this.#removed, fieldElement(name), values, granular, old);
    }
  }

  #lists({ items }: ArrayShape, merge: ListMerge, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    // Computing path elements costs more than comparing the lists.
    if (equalJson(before, after)) return;
    const granular = isGranular(items);
    const old = occurrences(merge, before);
    const current = occurrences(merge, after);
    for (const [element, befores] of old) this.#elements(element, items, granular, befores, current.get(element) ?? []);
    for (const [element, afters] of current) if (!old.has(element)) this.#elements(element, items, granular, [], afters);
  }

  /** All occurrences of one list item. An item with duplicates is different from one without. */
  #elements(element: PathElement, type: TypeShape, granular: boolean, befores: readonly JsonValue[], afters: readonly JsonValue[]): void {
    if (befores.length > 1 && afters.length > 1) {
      if (!equalJson(befores, afters)) this.#at(this.#modified).add(element);
      return;
    }
    const [before] = befores;
    const [after] = afters;
    if (before !== undefined && after !== undefined && befores.length === afters.length) {
      this.#inBoth(element, type, granular, before, after);
      return;
    }
    if (befores.length > 1) this.#at(this.#removed).add(element);
    else if (before !== undefined) this.#addedOrRemoved(this.#removed, element, type, granular, before);
    if (afters.length > 1) this.#at(this.#added).add(element);
    else if (after !== undefined) this.#addedOrRemoved(this.#added, element, type, granular, after);
  }

  #inBoth(element: PathElement, type: TypeShape, granular: boolean, before: JsonValue, after: JsonValue): void {
    this.#path.push(element);
    this.values(type, granular, before, after);
    this.#path.pop();
  }

  #addedOrRemoved(set: FieldSetBuilder, element: PathElement, type: TypeShape, granular: boolean, value: JsonValue): void {
    const here = this.#at(set).add(element);
    if (granular) here.graft(element, pathsBelow(type, value, true));
  }

  #at(set: FieldSetBuilder): FieldSetBuilder {
    let builder = set;
    for (const element of this.#path) builder = builder.at(element);
    return builder;
  }
}

/** In the order of first occurrence. */
function occurrences(merge: ListMerge, list: readonly JsonValue[]): ReadonlyMap<PathElement, readonly JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const value of list) {
    const element = listPathElement(merge, value);
    if (element === undefined) continue;
    const occurrencesOfElement = found.get(element);
    if (occurrencesOfElement === undefined) found.set(element, [value]);
    else occurrencesOfElement.push(value);
  }
  return found;
}
