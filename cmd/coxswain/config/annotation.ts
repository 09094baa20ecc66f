/** Problems as workflow commands of GitHub Actions, which annotate the changed lines. */
import type { Problem } from '../../../pkg/config/problem.ts';

const STANDARD_INPUT = '-';

/** Ends with a line break. Escapes text, so that it cannot end the command or start another. */
export function annotationOf({ file, line, column, severity, reason, path, message }: Problem): string {
  // Without a file, the annotation is in the summary of the run.
  const place = file === STANDARD_INPUT ? {} : { file, line: String(line), col: String(column) };
  const list = Object.entries({ ...place, title: reason }).map(([name, value]) => `${name}=${escapedProperty(value)}`);
  return `::${severity} ${list.join(',')}::${escaped(path === '' ? message : `${path}: ${message}`)}\n`;
}

/** Escapes of the runner: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
