/**
 * A field path as Kubernetes formats it: `spec.containers[0].image`, `metadata.labels[app]`. Formatted only for errors,
 * so that validating a correct object creates no strings.
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

  /** A path from the root of an object. Further names extend it. */
  static of(first: string, ...names: readonly string[]): FieldPath {
    return new FieldPath(undefined, first, 'name').child(...names);
  }

  /** A field of a struct. Further names extend the path. */
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
