/** A problem in a file, as reported by the reader and the rules and printed by all commands. */

export type Severity = 'error' | 'warning';

export interface Problem {
  /** As named by the caller; `-` for standard input, empty for a text without a name. */
  readonly file: string;
  /** Number of the document in the file, from 1. */
  readonly document: number;
  /** The field, under its current name: `Generic.Controllers[2]`. Empty for the document. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units like editors. */
  readonly column: number;
  /** Errors make a file invalid, warnings do not. */
  readonly severity: Severity;
  /** The type of problem, in one word: `UnknownField`, `OutOfRange`. */
  readonly reason: string;
  /** For users: a clause that follows the path. */
  readonly message: string;
}

/** A position in a file. */
export interface Position {
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** By position; errors first at the same position. */
export const byPosition = (a: Problem, b: Problem): number =>
  a.document - b.document || a.line - b.line || a.column - b.column || rankOf(a) - rankOf(b);

const rankOf = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1);
