/** Problems of files, in each format. */
import type { Problem } from '../../../pkg/config/problem.ts';
import type { CheckFormat } from './config-flags.ts';
import { toSarif } from './sarif.ts';
import { excerptOf } from './excerpt.ts';

export interface CheckedFile {
  readonly file: string;
  /** Empty when it could not be read. */
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** Ends with a line break, unless it is empty. */
export function renderProblems(format: CheckFormat, files: readonly CheckedFile[]): string {
  const problems = files.flatMap((each) => each.problems);
  switch (format) {
    case 'human':
      return files.map(forPeople).join('');
    case 'json':
      return `${JSON.stringify(problems, undefined, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(toSarif(problems), undefined, 2)}\n`;
    case 'github':
      return problems.map(annotation).join('');
  }
}

function forPeople({ file, text, problems }: CheckedFile): string {
  const lines = text.split('\n');
  const shown = problems.map((problem) => `${headOf(problem)}\n${excerptOf(lines[problem.line - 1], problem)}`);
  return `${shown.join('')}${file}: ${countsOf(problems)}\n`;
}

function headOf({ file, line, column, severity, path, message }: Problem): string {
  return `${file}:${line}:${column}: ${severity}: ${visible(path === '' ? message : `${path}: ${message}`)}`;
}

function countsOf(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [counted(errors, 'error'), counted(problems.length - errors, 'warning')].filter((each) => each !== '');
  return counts.length === 0 ? 'valid' : counts.join(', ');
}

const counted = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`);

/** Keys of a file stand in messages; what moves a terminal's cursor is not passed on. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

/** A workflow command of GitHub Actions. */
function annotation({ file, line, column, severity, reason, path, message }: Problem): string {
  const properties = { file, line: String(line), col: String(column), title: reason };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${severity} ${list.join(',')}::${escaped(path === '' ? message : `${path}: ${message}`)}\n`;
}

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
