/**
 * Where a field is, as Kubernetes spells it: `spec.containers[0].image`, `metadata.labels[app]`. Made on the way down through an object, and
 * turned into text only for a field that is wrong, so that going through a right one costs no text.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;
  readonly #form: 'name' | 'index' | 'key';

  private constructor(parent: FieldPath | undefined, step: string | number, form: 'name' | 'index' | 'key') {
    this.#parent = parent;
    this.#step = step;
    this.#form = form;
  }

  /** A path from the top of an object. Several names lead further down. */
  static of(first: string, ...names: readonly string[]): FieldPath {
    return new FieldPath(undefined, first, 'name').child(...names);
  }

  /** A field of a struct; several names lead further down. */
  child(...names: readonly string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => new FieldPath(path, name, 'name'), this);
  }

  /** An element of a list. */
  index(index: number): FieldPath {
    return new FieldPath(this, index, 'index');
  }

  /** An entry of a map. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, 'key');
  }

  toString(): string {
    if (this.#parent === undefined) return String(this.#step);
    const parent = this.#parent.toString();
    return this.#form === 'name' ? `${parent}.${this.#step}` : `${parent}[${this.#step}]`;
  }
}
