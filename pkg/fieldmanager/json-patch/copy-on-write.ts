/**
 * Copy-on-write access to a document while a JSON patch is applied. A container that was copied for this patch is
 * *writable*; all others are shared with the caller and never contain a writable one.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { elementIndex } from './json-pointer.ts';
import { escapeReservedName, unescapeReservedName, renameMembers } from './reserved-names.ts';

export type JsonContainer = readonly JsonValue[] | JsonObject;
export type WritableObject = Record<string, JsonValue | undefined>;
export type WritableContainer = JsonValue[] | WritableObject;

export const isJsonContainer = (value: JsonValue | undefined): value is JsonContainer => isArray(value) || isJsonObject(value);

export class CopyOnWriteContainers {
  /** Whether writable objects have escaped names. Only if the patch has a reserved name, because it costs time. */
  readonly escapesNames: boolean;
  /** Maps each writable container to itself, which gives lookups the writable type. */
  readonly #writable = new Map<JsonContainer, WritableContainer>();
  readonly #decoded = new Map<RawJson, JsonValue>();
  readonly #counts = new WeakMap<object, number>();

  constructor(escapesNames: boolean) {
    this.escapesNames = escapesNames;
  }

  /** Decodes a raw value once; returns any other value as it is. A number with an unusual spelling stays raw. */
  decode(value: JsonValue): JsonValue {
    if (!(value instanceof RawJson)) return value;
    const cached = this.#decoded.get(value);
    if (cached !== undefined) return cached;
    const decoded = openRaw(value);
    this.#decoded.set(value, decoded);
    return decoded;
  }

  /** A writable container with the same content; the same container if it is writable. */
  toWritable(container: JsonContainer): WritableContainer {
    const cached = this.#writable.get(container);
    if (cached !== undefined) return cached;
    const copy = isArray(container) ? [...container] : this.#copyObject(container, escapeReservedName);
    this.#writable.set(copy, copy);
    return copy;
  }

  /** The key of a member in `object`, where names may be escaped. */
  memberNameIn(object: JsonObject, name: string): string {
    return this.escapesNames && this.#writable.has(object) ? escapeReservedName(name) : name;
  }

  /** The element or member that a reference token names. */
  at(container: JsonContainer, token: string): JsonValue | undefined {
    if (isArray(container)) {
      const index = elementIndex(token, container.length);
      return index === undefined ? undefined : container[index];
    }
    const name = this.memberNameIn(container, token);
    return memberOf(container, name);
  }

  /** The number of members of `object`. Cached, since a patch may contain thousands of tests of a large object. */
  count(object: JsonObject): number {
    const cached = this.#counts.get(object);
    if (cached !== undefined) return cached;
    const count = Object.keys(object).filter((name) => object[name] !== undefined).length;
    this.#counts.set(object, count);
    return count;
  }

  /** To be called before `object` gets `more` members. */
  adjustCount(object: JsonObject, more: number): void {
    const cached = this.#counts.get(object);
    if (cached !== undefined) this.#counts.set(object, cached + more);
  }

  /** The same value without writable containers, and with unescaped names. */
  toReadonly(value: JsonValue): JsonValue {
    if (!isJsonContainer(value) || !this.#writable.has(value)) return value;
    if (isArray(value)) return value.map((element) => this.toReadonly(element));
    const object = this.#copyObject(value, unescapeReservedName);
    for (const name of Object.keys(object)) {
      const member = object[name];
      if (isJsonContainer(member)) setMember<JsonValue | undefined>(object, name, this.toReadonly(member));
    }
    return object;
  }

  #copyObject(object: JsonObject, rename: (name: string) => string): WritableObject {
    return this.escapesNames ? renameMembers(object, rename) : { ...object };
  }
}
