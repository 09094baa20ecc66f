import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import type { ArrayShape, ObjectShape, ScalarShape, TypeShape } from '../../apis/type-shape.ts';
import { type PathElement, fieldElement, indexElement } from '../fieldpath/path-element.ts';
import { pathText } from '../fieldpath/path-text.ts';
import { isContainer } from './granularity.ts';
import { listItemToPathElement } from './list-path-element.ts';
import { FieldFinder } from './members.ts';

/** A value that does not match its type. */
export interface TypedError {
  /** `.spec.jobTemplate.spec.template.spec.containers[name="a"].imag`; empty for the object itself. */
  readonly path: string;
  readonly message: string;
}

const MAX_ERRORS = 100;

/**
 * Checks only what merging needs: known fields, JSON types, and list items with a path element and, except in stored
 * objects, without duplicates. Null is valid except for items of sets and of lists with keys. Returns at most 100
 * errors. All other functions of this folder require a valid value.
 */
export function validate(
  shape: TypeShape,
  value: JsonValue,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): readonly TypedError[] {
  const walk = new ValidationWalker(allowDuplicates);
  walk.value(shape, value);
  return walk.errors;
}

class ValidationWalker {
  readonly errors: TypedError[] = [];
  readonly #allowDuplicates: boolean;
  readonly #path: PathElement[] = [];

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  value(type: TypeShape, value: JsonValue): void {
    if (value === null || this.errors.length >= MAX_ERRORS) return;
    switch (type.shape) {
      case 'object':
        if (isJsonObject(value)) this.#struct(type, value);
        else this.#error(`expected map, got ${excerpt(value)}`);
        return;
      case 'map':
        if (isJsonObject(value)) this.#map(type.values, value);
        else this.#error(`expected map, got ${excerpt(value)}`);
        return;
      case 'array':
        if (isArray(value)) this.#list(type, value);
        else this.#error(`expected list, got ${excerpt(value)}`);
        return;
      default: {
        const expected = expectedScalar(type, value);
        if (expected !== undefined) this.#error(`expected ${expected}, got ${excerpt(value)}`);
      }
    }
  }

  #struct(shape: ObjectShape, object: JsonObject): void {
    const finder = new FieldFinder(shape);
    for (const name in object) {
      const value = object[name];
      if (value === undefined) continue;
      const field = finder.find(name);
      if (field === undefined) this.#error('field not declared in schema', fieldElement(name));
      else this.#member(name, field.type, value);
    }
  }

  #map(values: TypeShape, map: JsonObject): void {
    for (const name in map) {
      const value = map[name];
      if (value !== undefined) this.#member(name, values, value);
    }
  }

  #member(name: string, type: TypeShape, value: JsonValue): void {
    // Fast path: a valid scalar needs no path.
    if (value === null || (!isContainer(type) && expectedScalar(type, value) === undefined)) return;
    this.#below(fieldElement(name), type, value);
  }

  #list({ items, merge }: ArrayShape, list: readonly JsonValue[]): void {
    const seen = new Set<PathElement>();
    for (const [at, value] of list.entries()) {
      if (merge === undefined) {
        this.#below(indexElement(at), items, value);
        continue;
      }
      const result = listItemToPathElement(merge, value);
      if ('problem' in result) {
        this.#error(`element ${at}: ${result.problem}`);
        continue;
      }
      const { element } = result;
      if (seen.has(element) && !this.#allowDuplicates) this.#error(`duplicate entries for key ${pathText([element])}`);
      seen.add(element);
      this.#below(element, items, value);
    }
  }

  #below(element: PathElement, type: TypeShape, value: JsonValue): void {
    this.#path.push(element);
    this.value(type, value);
    this.#path.pop();
  }

  #error(message: string, ...below: readonly PathElement[]): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path: pathText([...this.#path, ...below]), message });
  }
}

/** The expected type of the scalar; `undefined` if it matches. The format of times and quantities is not checked. */
function expectedScalar({ shape }: ScalarShape, value: JsonValue): string | undefined {
  switch (shape) {
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string' ? undefined : 'string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'boolean';
    case 'int32':
    case 'int64':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? undefined : 'numeric (int or float)';
    case 'time':
    case 'micro-time':
    case 'quantity':
    case 'int-or-string':
      return typeof value === 'object' ? 'any scalar' : undefined;
    case 'fields-v1':
      return typeof value === 'object' && !isArray(value) ? undefined : 'map';
    case 'raw':
    case 'any':
      return undefined;
    default:
      return shape satisfies never;
  }
}

const MAX_EXCERPT = 100;

/** The start of the value, enough to find it. */
function excerpt(value: JsonValue): string {
  if (isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return writeJson(value).slice(0, MAX_EXCERPT);
}
