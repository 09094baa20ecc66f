/** Values by the field that has them: of whatever objects are known, so that a new kind brings its own. */
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { isList, isObject, type Tree } from './tree.ts';

const MAX_VALUES = 80;
/** Kubernetes tells it apart from no time in some fields; here it never is (docs/compatibility.md). */
const ZERO_TIME = '"0001-01-01T00:00:00';

export class Corpus {
  readonly #values = new Map<string, Map<string, Tree>>();

  /** Takes all fields of an object. What does not fit its shape is left out. */
  addObject(shape: TypeShape, tree: Tree): void {
    if (shape.shape === 'object' && isObject(tree)) {
      for (const { name, type } of shape.fields) {
        const value = Object.hasOwn(tree, name) ? tree[name] : undefined;
        if (value === undefined) continue;
        this.add(fieldKey(shape.name, name), value);
        this.#addInside(fieldKey(shape.name, name), type, value);
      }
    }
  }

  #addInside(key: string, type: TypeShape, value: Tree): void {
    if (type.shape === 'object') this.addObject(type, value);
    else if (type.shape === 'array' && isList(value)) {
      for (const element of value) {
        this.add(elementKey(key), element);
        this.#addInside(elementKey(key), type.items, element);
      }
    } else if (type.shape === 'map' && isObject(value)) {
      for (const member of Object.values(value)) {
        this.add(elementKey(key), member);
        this.#addInside(elementKey(key), type.values, member);
      }
    }
  }

  add(key: string, value: Tree): void {
    const known = this.#values.get(key) ?? new Map<string, Tree>();
    this.#values.set(key, known);
    const text = JSON.stringify(value);
    if (known.size < MAX_VALUES && !text.includes(ZERO_TIME)) known.set(text, value);
  }

  values(key: string): readonly Tree[] {
    return [...(this.#values.get(key)?.values() ?? [])];
  }
}

/** `batch.v1.CronJobSpec` and `schedule`. */
export const fieldKey = (struct: string, field: string): string => `${struct}.${field}`;
/** The elements of a list, or the values of a map, in the field. */
export const elementKey = (key: string): string => `${key}[]`;
