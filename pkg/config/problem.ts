/** What is wrong with a file, or looks wrong: one shape for the reader, the rules and every output. */

export type Severity = 'error' | 'warning';

export interface Problem {
  /** As the caller named it; `-` for standard input, empty for a text without a name. */
  readonly file: string;
  /** Which document of the file, from 1. */
  readonly document: number;
  /** Of the field, in this specification's names: `Generic.Controllers[2]`. Empty: the document. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count them. */
  readonly column: number;
  /** Errors make a file invalid, warnings do not. */
  readonly severity: Severity;
  /** What kind of problem, in one word: `UnknownField`, `OutOfRange`. */
  readonly reason: string;
  /** For people: half a sentence that follows the path. */
  readonly message: string;
}

/** Where something stands in a text. */
export interface Position {
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** From the top of the file; errors first where two stand at one place. */
export const byPosition = (a: Problem, b: Problem): number =>
  a.document - b.document || a.line - b.line || a.column - b.column || rankOf(a) - rankOf(b);

const rankOf = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1);
