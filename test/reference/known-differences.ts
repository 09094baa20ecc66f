/** Deliberate differences (`known-differences.json`), each with the reason for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KnownDifference {
  /** Of the kinds that it is about; default: all. */
  readonly kinds?: readonly string[];
  /** Matches the whole of the verb and the summary: `create code 201 → 422: .*`. */
  readonly pattern: string;
  /** The row of docs/compatibility.md that says why: its first cell. */
  readonly documented: string;
}

export type Explain = (kind: string, verb: string, summary: string) => KnownDifference | undefined;

export const readKnownDifferences = (): readonly KnownDifference[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'known-differences.json'), 'utf8')) as readonly KnownDifference[];

export function createExplain(known: readonly KnownDifference[]): Explain {
  const compiled = known.map((difference) => ({ difference, expression: new RegExp(`^(?:${difference.pattern})$`, 's') }));
  return (kind, verb, summary) =>
    compiled.find(
      ({ difference: { kinds }, expression }) => (kinds === undefined || kinds.includes(kind)) && expression.test(`${verb} ${summary}`),
    )?.difference;
}
