/**
 * The objects and lists of a document while one JSON patch is applied to it: which of them may be written into, and how their members
 * are found. A container that was copied for the patch is *own*; all others are shared with whoever gave them. What is not own contains
 * nothing own.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { elementIndex } from './json-pointer.ts';
import { toPrivateName, toPublicName, withNames } from './private-names.ts';

export type Container = readonly JsonValue[] | JsonObject;
export type OwnObject = Record<string, JsonValue | undefined>;
export type OwnContainer = JsonValue[] | OwnObject;

export const isContainer = (value: JsonValue | undefined): value is Container => isArray(value) || isJsonObject(value);

export class Containers {
  /** Own objects have private names. It costs something, so only where a path of the patch has a reserved name. */
  readonly renames: boolean;
  /** Each own container by itself: what the keys are known to be, the values may be used for. */
  readonly #own = new Map<Container, OwnContainer>();
  readonly #decoded = new Map<RawJson, JsonValue>();
  readonly #counts = new WeakMap<object, number>();

  constructor(renames: boolean) {
    this.renames = renames;
  }

  /** What a raw value says, decoded once; every other value as it is. A number of unusual spelling stays raw. */
  open(value: JsonValue): JsonValue {
    if (!(value instanceof RawJson)) return value;
    const known = this.#decoded.get(value);
    if (known !== undefined) return known;
    const decoded = openRaw(value);
    this.#decoded.set(value, decoded);
    return decoded;
  }

  /** A container with the same content that may be written into; itself when it is own. */
  own(container: Container): OwnContainer {
    const known = this.#own.get(container);
    if (known !== undefined) return known;
    const copy = isArray(container) ? [...container] : this.#copyOf(container, toPrivateName);
    this.#own.set(copy, copy);
    return copy;
  }

  /** How a member of `object` is called in it. */
  nameIn(object: JsonObject, name: string): string {
    return this.renames && this.#own.has(object) ? toPrivateName(name) : name;
  }

  /** The element or member that a step of a pointer leads to. */
  at(container: Container, step: string): JsonValue | undefined {
    if (isArray(container)) {
      const index = elementIndex(step, container.length);
      return index === undefined ? undefined : container[index];
    }
    const name = this.nameIn(container, step);
    return memberOf(container, name);
  }

  /** How many members `object` has. Counted once: thousands of tests may ask it of an object with as many members. */
  count(object: JsonObject): number {
    const known = this.#counts.get(object);
    if (known !== undefined) return known;
    const count = Object.keys(object).filter((name) => object[name] !== undefined).length;
    this.#counts.set(object, count);
    return count;
  }

  /** To be called before `object` gets `more` members. */
  willGrow(object: JsonObject, more: number): void {
    const known = this.#counts.get(object);
    if (known !== undefined) this.#counts.set(object, known + more);
  }

  /** The same value without anything own in it, and with its true names. */
  published(value: JsonValue): JsonValue {
    if (!isContainer(value) || !this.#own.has(value)) return value;
    if (isArray(value)) return value.map((element) => this.published(element));
    const object = this.#copyOf(value, toPublicName);
    for (const name of Object.keys(object)) {
      const member = object[name];
      if (isContainer(member)) setMember<JsonValue | undefined>(object, name, this.published(member));
    }
    return object;
  }

  #copyOf(object: JsonObject, rename: (name: string) => string): OwnObject {
    return this.renames ? withNames(object, rename) : { ...object };
  }
}
