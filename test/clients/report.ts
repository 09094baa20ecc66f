/** What was found out about the clients, as lines for who runs them. */
import type { BackendName } from '../support/test-store.ts';
import type { ClientFile } from './client-file.ts';

export interface ProgramResult {
  readonly language: string;
  readonly program: string;
  readonly backend: BackendName;
  readonly outcome:
    | { readonly is: 'passed'; readonly ms: number }
    | { readonly is: 'failed'; readonly why: string; readonly output: string }
    /** Something that is not ours is missing. */
    | { readonly is: 'skipped'; readonly why: string };
}

/** One result for each program and store: none of them could run. */
export const resultsFor = (
  { language, programs }: ClientFile,
  backends: readonly BackendName[],
  outcome: ProgramResult['outcome'],
): readonly ProgramResult[] => programs.flatMap(({ name }) => backends.map((backend) => ({ language, program: name, backend, outcome })));

const indented = (text: string): string => (text.trim() === '' ? '' : `\n${text.trimEnd().replace(/^/gm, '    ')}`);

export function lineOf({ language, program, backend, outcome }: ProgramResult): string {
  const what = `${outcome.is.padEnd(7)}  ${language} ${program} on ${backend}`;
  switch (outcome.is) {
    case 'passed':
      return `${what}, ${(outcome.ms / 1000).toFixed(1)} s`;
    case 'failed':
      return `${what}: ${outcome.why}${indented(outcome.output)}`;
    case 'skipped':
      return `${what}: ${outcome.why}`;
    default:
      return outcome satisfies never;
  }
}

/** What did not run or did not pass, and why, one line each; then `N passed, N failed, N skipped` alone on the last. */
export function summaryOf(results: readonly ProgramResult[]): string {
  const count = (is: ProgramResult['outcome']['is']): number => results.filter(({ outcome }) => outcome.is === is).length;
  const told = (is: 'failed' | 'skipped', title: string): readonly string[] => {
    const lines = results.flatMap(({ language, program, backend, outcome }) =>
      outcome.is === is ? [`  ${language} ${program} on ${backend}: ${outcome.why}`] : [],
    );
    return lines.length === 0 ? [] : [title, ...lines];
  };
  return [
    ...told('skipped', 'not run:'),
    ...told('failed', 'failed:'),
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
  ].join('\n');
}
