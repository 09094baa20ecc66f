/** A document as written: values with their positions. */

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SourceMap extends Span {
  readonly type: 'map';
  /** In order, including duplicates. */
  readonly entries: readonly SourceEntry[];
}

export interface SourceEntry {
  readonly key: SourceKey;
  readonly value: SourceNode;
}

export interface SourceKey extends Span {
  readonly text: string;
  /** The quotes; absent for a key that cannot be replaced in place because it comes from a merge key or an alias. */
  readonly quote?: '' | "'" | '"';
}

export interface SourceList extends Span {
  readonly type: 'list';
  readonly elements: readonly SourceNode[];
}

export interface SourceScalar extends Span {
  /** `not-a-number`: a number that JSON cannot represent, such as `.inf`. */
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'not-a-number';
  /** The value of a string; JSON text of numbers, booleans and null; the original text of `not-a-number`. */
  readonly text: string;
  /** As for keys; also absent for block scalars. */
  readonly quote?: '' | "'" | '"';
}

/** An alias is the node it refers to, with the position of the alias. */
export type SourceNode = SourceMap | SourceList | SourceScalar;

export interface SourceDocument {
  /** From 1, counting empty documents. */
  readonly number: number;
  readonly root: SourceNode;
}
