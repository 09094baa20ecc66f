/** A problem with the contents of a file that a configuration refers to. */
import type { Severity } from '../../problem.ts';

export interface FileProblem {
  readonly severity: Severity;
  /** A clause that follows the name of the file. */
  readonly message: string;
}

/** Returns all problems. `now` is used to check certificates. */
export type FileCheck = (text: string, now: Date) => readonly FileProblem[];

export const fileError = (message: string): FileProblem => ({ severity: 'error', message });

export const fileWarning = (message: string): FileProblem => ({ severity: 'warning', message });
