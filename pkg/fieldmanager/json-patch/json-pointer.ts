/** JSON Pointer (RFC 6901): the path of an operation. */

/** A pointer as it was sent, and its steps unescaped. No steps: the whole document. */
export interface JsonPointer {
  readonly text: string;
  readonly steps: readonly string[];
}

/** Undefined when it neither is empty nor starts with a slash. A tilde that escapes nothing stands for itself, as in Kubernetes. */
export function parsePointer(text: string): JsonPointer | undefined {
  if (text === '') return { text, steps: [] };
  return text.startsWith('/') ? { text, steps: text.slice(1).split('/').map(unescapeStep) } : undefined;
}

const unescapeStep = (step: string): string =>
  step.includes('~') ? step.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')) : step;

export const writePointer = (steps: readonly string[]): string => steps.map((step) => `/${escapeStep(step)}`).join('');

const escapeStep = (step: string): string => (/[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step);

/**
 * The element of a list of `length` that a step names; undefined when there is none. Spelled as Kubernetes takes it, which is wider than
 * RFC 6901: leading zeros, a sign, and `-1` for the last element.
 */
export function elementIndex(step: string, length: number): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(step)) return undefined;
  // `-0` is the first element.
  const given = Number(step) + 0;
  const index = given < 0 ? given + length : given;
  return index >= 0 && index < length ? index : undefined;
}

/** Where a new element goes in a list of `length`; `-` and `-1` are the end. Undefined when the step names no such place. */
export const insertionIndex = (step: string, length: number): number | undefined =>
  step === '-' ? length : elementIndex(step, length + 1);
