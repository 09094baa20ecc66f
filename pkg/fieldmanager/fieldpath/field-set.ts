/**
 * A set of field paths as a tree: the fields that a manager owns, or that a write changed. The counterpart of
 * `fieldpath.Set` in structured-merge-diff. Immutable. Sets share subtrees, and an operation that changes nothing
 * returns the same set. A path and a longer path through it can be members independently of each other.
 *
 * Operations recurse to the depth of the tree, which the JSON parser bounds.
 */
import type { Path, PathElement } from './path-element.ts';
import { sortedElements } from './path-order.ts';

export const NO_MEMBERS: ReadonlySet<PathElement> = new Set();
export const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();

export class FieldSet {
  /** Last elements of the paths that end at this level. Unordered. */
  readonly members: ReadonlySet<PathElement>;
  /** Subtrees below this level. An element here need not be a member. No child is empty. Unordered. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  #reconciledWith: object | undefined;

  /** Takes ownership of the arguments; no child may be empty. Otherwise use `FieldSet.of` or a `FieldSetBuilder`. */
  constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.members = members;
    this.children = children;
  }

  static get empty(): FieldSet {
    return EMPTY;
  }

  /** The empty path is ignored, since it cannot be owned. */
  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** Whether the set was last reconciled with `type` and fits it. A cache only. */
  isReconciledWith(type: object): boolean {
    return this.#reconciledWith === type;
  }

  markReconciledWith(type: object): void {
    this.#reconciledWith = type;
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
    return last !== undefined && descend(this, path.slice(0, -1)).members.has(last);
  }

  /** The paths below `element`, without that element. */
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
    return this.#with(members, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    return this.#filter(
      (element) => other.members.has(element),
      (element, child) => child.intersection(other.withPrefix(element)),
    );
  }

  /** Without the exact paths in `other`. Shorter and longer paths stay. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return this.#filter(
      (element) => !other.members.has(element),
      (element, child) => child.difference(other.withPrefix(element)),
    );
  }

  /** Without the paths in `other` and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return this.#filter(
      (element) => !other.members.has(element),
      (element, child) => (other.members.has(element) ? FieldSet.empty : child.recursiveDifference(other.withPrefix(element))),
    );
  }

  /** The paths that are not a prefix of another path in this set. */
  leaves(): FieldSet {
    return this.#filter(
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

  /** All paths in order: at each level the members first, then the children. */
  *paths(): Generator<Path> {
    for (const element of sortedElements(this.members)) yield [element];
    for (const element of sortedElements(this.children.keys())) {
      for (const path of this.withPrefix(element).paths()) yield [element, ...path];
    }
  }

  #filter(keepsMember: (element: PathElement) => boolean, filterChild: (element: PathElement, child: FieldSet) => FieldSet): FieldSet {
    let members: Set<PathElement> | undefined;
    for (const element of this.members) {
      if (!keepsMember(element)) (members ??= new Set(this.members)).delete(element);
    }
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of this.children) {
      const filtered = filterChild(element, child);
      if (filtered === child) continue;
      children ??= new Map(this.children);
      if (filtered.isEmpty) children.delete(element);
      else children.set(element, filtered);
    }
    return this.#with(members, children);
  }

  #with(members: ReadonlySet<PathElement> | undefined, children: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
    if (members === undefined && children === undefined) return this;
    const set = new FieldSet(members ?? this.members, children ?? this.children);
    return set.isEmpty ? FieldSet.empty : set;
  }
}

// Not a static field: TypeScript would initialize it before a class with private names is complete.
const EMPTY = new FieldSet(NO_MEMBERS, NO_CHILDREN);

const descend = (from: FieldSet, path: Path): FieldSet => path.reduce((set, element) => set.withPrefix(element), from);

/** Builds a set. Each builder holds one level; `at` returns the builder below an element. */
export class FieldSetBuilder {
  #members: Set<PathElement> | undefined;
  #children: Map<PathElement, FieldSetBuilder> | undefined;
  #grafts: Map<PathElement, FieldSet> | undefined;

  /** Adds `element` as a member at this level. */
  add(element: PathElement): this {
    (this.#members ??= new Set()).add(element);
    return this;
  }

  /** The builder below `element`. Has no effect on the set if nothing is added to it. */
  at(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) this.#children.set(element, (child = new FieldSetBuilder()));
    return child;
  }

  /** Adds a path. The empty path is ignored. */
  insert(path: Path): this {
    const last = path.at(-1);
    if (last === undefined) return this;
    builderAt(this, path.slice(0, -1)).add(last);
    return this;
  }

  /** Adds the paths of `set` below `element`. */
  graft(element: PathElement, set: FieldSet): this {
    if (!set.isEmpty) (this.#grafts ??= new Map()).set(element, this.#grafts.get(element)?.union(set) ?? set);
    return this;
  }

  /** Returns the set and empties this builder and those below it. */
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
