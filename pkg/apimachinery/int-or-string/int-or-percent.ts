/** A number of things, or a share of them: an integer, or a percentage such as `25%`. */
import type { NameCheck } from '../meta/names.ts';

const PERCENT = /^[0-9]+%$/;
const SIGNED_PERCENT = /^[-+]?[0-9]+%$/;

const PERCENT_RULE = [
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
];
const NOTHING_WRONG: readonly string[] = [];

/** Digits and `%`. More than 100 % is a percentage too. */
export const checkPercent: NameCheck = (text) => (PERCENT.test(text) ? NOTHING_WRONG : PERCENT_RULE);

/** The number before the `%`, `Infinity` where it has too many digits for a double. Undefined: `checkPercent` finds something wrong. */
export const parsePercent = (text: string): number | undefined => (PERCENT.test(text) ? Number(text.slice(0, -1)) : undefined);

/**
 * How many of `total` are meant: an integer as it is, of a percentage the share, which is no whole number as a rule and is rounded. A
 * percentage may have a sign here. Undefined: the text is none, or beyond what a double counts exactly.
 */
export function scaledValue(value: number | string, total: number, rounding: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return value;
  if (!SIGNED_PERCENT.test(value)) return undefined;
  const percent = Number(value.slice(0, -1));
  if (!Number.isSafeInteger(percent)) return undefined;
  const share = (percent * total) / 100;
  // No negative zero.
  return (rounding === 'up' ? Math.ceil(share) : Math.floor(share)) + 0;
}
