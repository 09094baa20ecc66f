import { UsageError } from './flag.ts';

/** Throws UsageError when one of two flags is given without the other. */
export function requireBoth(first: string, firstValue: string | undefined, second: string, secondValue: string | undefined): void {
  if ((firstValue === undefined) === (secondValue === undefined)) return;
  throw new UsageError(`${first} and ${second} are given together or not at all`);
}
