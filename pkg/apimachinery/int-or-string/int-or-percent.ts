/** An absolute number, or a percentage such as `25%`. */
import type { NameCheck } from '../meta/names.ts';

const PERCENT = /^[0-9]+%$/;
const SIGNED_PERCENT = /^[-+]?[0-9]+%$/;

const PERCENT_RULE = [
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
];
const VALID: readonly string[] = [];

/** Digits and `%`. Values above 100 % are valid. */
export const checkPercent: NameCheck = (text) => (PERCENT.test(text) ? VALID : PERCENT_RULE);

/** The number before the `%`; `Infinity` if a double cannot hold it. Undefined if `checkPercent` fails. */
export const parsePercent = (text: string): number | undefined => (PERCENT.test(text) ? Number(text.slice(0, -1)) : undefined);

/**
 * The absolute number: an integer as it is, a percentage as its rounded share of `total`. The percentage may have a
 * sign. Undefined if the text is invalid or the percentage is not an exact integer in a double.
 */
export function scaledValue(value: number | string, total: number, rounding: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return value;
  if (!SIGNED_PERCENT.test(value)) return undefined;
  const percent = Number(value.slice(0, -1));
  if (!Number.isSafeInteger(percent)) return undefined;
  const share = (percent * total) / 100;
  // Avoids negative zero.
  return (rounding === 'up' ? Math.ceil(share) : Math.floor(share)) + 0;
}
