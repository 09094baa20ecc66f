/** What is wrong with the text of a file that a configuration names. */
import type { Severity } from '../../problem.ts';

export interface FileFault {
  readonly severity: Severity;
  /** Half a sentence that follows the name of the file. */
  readonly message: string;
}

/** All that is wrong; `now` for what lasts for a time only. */
export type FileCheck = (text: string, now: Date) => readonly FileFault[];

export const fault = (message: string): FileFault => ({ severity: 'error', message });

export const doubt = (message: string): FileFault => ({ severity: 'warning', message });
