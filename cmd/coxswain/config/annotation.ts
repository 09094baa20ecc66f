/** Problems as workflow commands of GitHub Actions, which become annotations of the changed lines. */
import type { Problem } from '../../../pkg/config/problem.ts';

const STANDARD_INPUT = '-';

/** Ends with a line break. No text of a file can end the command or begin another one. */
export function annotationOf({ file, line, column, severity, reason, path, message }: Problem): string {
  // An annotation without a file stands in the summary of the run.
  const place = file === STANDARD_INPUT ? {} : { file, line: String(line), col: String(column) };
  const list = Object.entries({ ...place, title: reason }).map(([name, value]) => `${name}=${escapedProperty(value)}`);
  return `::${severity} ${list.join(',')}::${escaped(path === '' ? message : `${path}: ${message}`)}\n`;
}

/** As the runner decodes it: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
