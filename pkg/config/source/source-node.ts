/** A document as it was written: values with the places where they stand. */

/** Offsets in the text, in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SourceMap extends Span {
  readonly type: 'map';
  /** In order, duplicates among them. */
  readonly entries: readonly SourceEntry[];
}

export interface SourceEntry {
  readonly key: SourceKey;
  readonly value: SourceNode;
}

export interface SourceKey extends Span {
  readonly text: string;
  /** How it is quoted; absent for a key that is not simply spelled out here: one that came with a merge or an alias. */
  readonly quote?: '' | "'" | '"';
}

export interface SourceList extends Span {
  readonly type: 'list';
  readonly elements: readonly SourceNode[];
}

export interface SourceScalar extends Span {
  /** `not-a-number`: a number that JSON cannot hold, such as `.inf`. */
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'not-a-number';
  /** Of strings the string; of numbers, booleans and null what JSON writes; of what is not a number its spelling. */
  readonly text: string;
  /** As with keys; absent for block scalars as well. */
  readonly quote?: '' | "'" | '"';
}

/** An alias is the node it names, at the place of the alias. */
export type SourceNode = SourceMap | SourceList | SourceScalar;

export interface SourceDocument {
  /** From 1, those that hold nothing counted too. */
  readonly number: number;
  readonly root: SourceNode;
}
