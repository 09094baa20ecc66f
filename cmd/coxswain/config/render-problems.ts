/** Formats the problems of files. */
import type { Problem } from '../../../pkg/config/problem.ts';
import { UNREADABLE } from '../../../pkg/config/load-config.ts';
import type { Terminal } from '../terminal.ts';
import { annotationOf } from './annotation.ts';
import type { CheckFormat } from './config-flags.ts';
import { excerptOf } from './excerpt.ts';
import { type Styles, stylesFor } from './color.ts';
import { toSarif } from './sarif.ts';

export interface CheckedFile {
  readonly file: string;
  /** Empty when it could not be read. */
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** For programs. Ends with a line break unless empty. */
export function renderProblems(format: Exclude<CheckFormat, 'human'>, files: readonly CheckedFile[]): string {
  const problems = files.flatMap((each) => each.problems);
  switch (format) {
    case 'json':
      return `${JSON.stringify(problems, undefined, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(toSarif(problems), undefined, 2)}\n`;
    case 'github':
      return problems.map(annotationOf).join('');
  }
}

/** For people: each problem with its line. Unreadable files are in `refusalsOf` instead. */
export function describeProblems({ file, text, problems }: CheckedFile, terminal: Terminal): string {
  const styles = stylesFor(terminal);
  const lines = text.split('\n');
  const shown = problems.filter(isOfText).map((problem) => {
    const style = { columns: terminal.columns, gutter: styles.faint, pointer: styles[problem.severity] };
    return `${headOf(problem, styles)}\n${excerptOf(lines[problem.line - 1], problem, style)}`;
  });
  return shown.length === 0 ? '' : `${shown.join('')}${styles.strong(visible(file))}: ${countsOf(problems)}\n`;
}

/** One line per unreadable file. */
export const refusalsOf = (files: readonly CheckedFile[]): string =>
  files
    .flatMap(({ problems }) => problems)
    .filter((problem) => !isOfText(problem))
    .map(({ file, message }) => `coxswain: ${visible(file)}: ${message}\n`)
    .join('');

const isOfText = ({ reason }: Problem): boolean => reason !== UNREADABLE;

function headOf({ file, line, column, severity, path, message }: Problem, styles: Styles): string {
  const place = styles.strong(visible(`${file}:${line}:${column}`));
  return `${place}: ${styles[severity](severity)}: ${path === '' ? '' : `${styles.strong(visible(path))}: `}${visible(message)}`;
}

/** `2 errors, 1 warning`; empty for none. */
export function countsOf(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return [counted(errors, 'error'), counted(problems.length - errors, 'warning')].filter((each) => each !== '').join(', ');
}

export const counted = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`);

/** Messages contain keys of the file; replaces control characters of the terminal. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
