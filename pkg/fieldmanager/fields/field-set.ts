/**
 * A set of paths, as a tree: what one manager owns, or what one write changed. Immutable, and sets share their parts: an operation that changes
 * nothing gives back the very set. A path may be a member while longer ones through it are not, and the other way round.
 *
 * Trees are as deep as the documents and `fieldsV1` they are made of, which the parser bounds; operations recurse that deep.
 */
import type { Path, PathElement } from './path-element.ts';
import { sortedElements } from './path-order.ts';

export const NO_MEMBERS: ReadonlySet<PathElement> = new Set();
export const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();

export class FieldSet {
  /** The paths that end here. In no order. */
  readonly members: ReadonlySet<PathElement>;
  /** What goes on from here; being listed here does not make an element a member. No child is empty. In no order. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  #fits: object | undefined;

  /** Only for those who know that no child is empty and nobody writes into what is given: others use `FieldSet.of` or a `FieldSetBuilder`. */
  constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.members = members;
    this.children = children;
  }

  static get empty(): FieldSet {
    return EMPTY;
  }

  /** The empty path, which nobody can own, is left out. */
  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** Whether this very `type` was the last that the set was found to fit. What is remembered shows only in time. */
  isKnownToFit(type: object): boolean {
    return this.#fits === type;
  }

  knowToFit(type: object): void {
    this.#fits = type;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** The number of paths. */
  get size(): number {
    let size = this.members.size;
    for (const child of this.children.values()) size += child.size;
    return size;
  }

  has(path: Path): boolean {
    const last = path.at(-1);
    return last !== undefined && below(this, path.slice(0, -1)).members.has(last);
  }

  /** The paths that go on behind `element`, without it. */
  withPrefix(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let members: Set<PathElement> | undefined;
    for (const element of other.members) {
      if (!this.members.has(element)) (members ??= new Set(this.members)).add(element);
    }
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      const both = ours === undefined ? theirs : ours.union(theirs);
      if (both !== ours) (children ??= new Map(this.children)).set(element, both);
    }
    return this.#changed(members, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    return this.#kept(
      (element) => other.members.has(element),
      (element, child) => child.intersection(other.withPrefix(element)),
    );
  }

  /** Without the very paths in `other`: neither what is below them nor what is above them goes. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return this.#kept(
      (element) => !other.members.has(element),
      (element, child) => child.difference(other.withPrefix(element)),
    );
  }

  /** Without the paths in `other` and all that is below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return this.#kept(
      (element) => !other.members.has(element),
      (element, child) => (other.members.has(element) ? FieldSet.empty : child.recursiveDifference(other.withPrefix(element))),
    );
  }

  /** The paths that no longer path of this set goes through. */
  leaves(): FieldSet {
    return this.#kept(
      (element) => !this.children.has(element),
      (_, child) => child.leaves(),
    );
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const element of this.members) if (!other.members.has(element)) return false;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (theirs === undefined || !child.equals(theirs)) return false;
    }
    return true;
  }

  /** Every path, in order: those that end here, then those below each child. */
  *paths(): Generator<Path> {
    for (const element of sortedElements(this.members)) yield [element];
    for (const element of sortedElements(this.children.keys())) {
      for (const path of this.withPrefix(element).paths()) yield [element, ...path];
    }
  }

  #kept(keepsMember: (element: PathElement) => boolean, keptOf: (element: PathElement, child: FieldSet) => FieldSet): FieldSet {
    let members: Set<PathElement> | undefined;
    for (const element of this.members) {
      if (!keepsMember(element)) (members ??= new Set(this.members)).delete(element);
    }
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of this.children) {
      const kept = keptOf(element, child);
      if (kept === child) continue;
      children ??= new Map(this.children);
      if (kept.isEmpty) children.delete(element);
      else children.set(element, kept);
    }
    return this.#changed(members, children);
  }

  #changed(members: ReadonlySet<PathElement> | undefined, children: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
    if (members === undefined && children === undefined) return this;
    const set = new FieldSet(members ?? this.members, children ?? this.children);
    return set.isEmpty ? FieldSet.empty : set;
  }
}

// Not a static field: the compiler writes such a one, in a class with private names, so that it is made before the class is there.
const EMPTY = new FieldSet(NO_MEMBERS, NO_CHILDREN);

const below = (from: FieldSet, path: Path): FieldSet => path.reduce((set, element) => set.withPrefix(element), from);

/** Collects paths and gives them out as a set. One builder per level: `at` gives the builder below an element. */
export class FieldSetBuilder {
  #members: Set<PathElement> | undefined;
  #children: Map<PathElement, FieldSetBuilder> | undefined;
  #grafts: Map<PathElement, FieldSet> | undefined;

  /** Makes the path that ends with `element` a member. */
  add(element: PathElement): this {
    (this.#members ??= new Set()).add(element);
    return this;
  }

  /** The builder of what is below `element`. It costs nothing in the set when nothing is added to it. */
  at(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) this.#children.set(element, (child = new FieldSetBuilder()));
    return child;
  }

  /** Adds a path; the empty path is nobody's and left out. */
  insert(path: Path): this {
    const last = path.at(-1);
    if (last === undefined) return this;
    builderAt(this, path.slice(0, -1)).add(last);
    return this;
  }

  /** Adds all of `set` below `element`. */
  graft(element: PathElement, set: FieldSet): this {
    if (!set.isEmpty) (this.#grafts ??= new Map()).set(element, this.#grafts.get(element)?.union(set) ?? set);
    return this;
  }

  /** The set. The builder, and those below it, are empty afterwards. */
  build(): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, builder] of this.#children ?? []) {
      const child = builder.build();
      if (!child.isEmpty) children.set(element, child);
    }
    for (const [element, set] of this.#grafts ?? []) children.set(element, children.get(element)?.union(set) ?? set);
    const members = this.#members ?? NO_MEMBERS;
    this.#members = this.#children = this.#grafts = undefined;
    if (members.size === 0 && children.size === 0) return FieldSet.empty;
    return new FieldSet(members, children.size === 0 ? NO_CHILDREN : children);
  }
}

const builderAt = (from: FieldSetBuilder, path: Path): FieldSetBuilder => path.reduce((builder, element) => builder.at(element), from);
