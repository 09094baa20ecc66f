/** Quantities as in Kubernetes: exact to a billionth, rounded away from zero; binary ones are at most 2^63-1. */

export type QuantityFormat = 'DecimalSI' | 'DecimalExponent' | 'BinarySI';

export interface ParsedQuantity {
  /** In billionths. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** Canonical text. */
  readonly canonical: string;
}

/** Matches most real quantities, which are already canonical. Excludes `Ei` because of the cap. */
const CANONICAL_FAST_PATH = /^[1-9][0-9]{0,2}(?:[numkMGTPE]|[KMGTP]i)?$/;
// Adjacent parts never match the same character, so matching is linear.
const QUANTITY = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*)?)$/;
const EXPONENT = /^[eE]([-+]?[0-9]+)$/;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const SMALLEST_DECIMAL_EXPONENT = -9;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const NANO = 1_000_000_000n;
/** In billionths. */
const THOUSANDTH = 1_000_000n;
const SCALE_OF_THOUSANDTHS = -3;
const MAX_BINARY = (2n ** 63n - 1n) * NANO;
/** Numbers with this many digits fit an int64. Up to this length, nearly canonical text is preserved. */
const FAST_DIGITS = 18;
/** These limits bound the cost of arithmetic for a body full of quantities. */
const MAX_LENGTH = 256;
const MAX_EXPONENT = 100;

interface Parts {
  readonly positive: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Undefined if `text` is not a quantity. */
export function parseQuantity(text: string): ParsedQuantity | undefined {
  const parts = splitParts(text);
  if (parts === undefined) return undefined;
  const { positive, format } = parts;
  let nanos = nanosOf(parts);
  if (format === 'BinarySI' && nanos > MAX_BINARY) nanos = MAX_BINARY;
  if (!positive) nanos = -nanos;
  return { nanos, format, canonical: keepsOriginalText(parts) ? text : write(nanos, format) };
}

/** The canonical text; undefined if `text` is not a quantity. */
export const normalizeQuantity = (text: string): string | undefined =>
  CANONICAL_FAST_PATH.test(text) ? text : parseQuantity(text)?.canonical;

export const isQuantity = (text: string): boolean => CANONICAL_FAST_PATH.test(text) || splitParts(text) !== undefined;

/** Negative, zero or positive if `a` is less than, equal to or greater than `b`. */
export const compareQuantities = (a: ParsedQuantity, b: ParsedQuantity): number => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0);

export const isWholeQuantity = ({ nanos }: ParsedQuantity): boolean => nanos % NANO === 0n;

/** Rounds up to whole units. Not for negative amounts. */
export const wholeUnits = ({ nanos }: ParsedQuantity): bigint => (nanos + NANO - 1n) / NANO;

/** Only such text can express amounts finer than a thousandth. */
const MAY_HAVE_SUB_MILLI = /[nu.e]|E-/;

/** Rounds away from zero. Canonical text in and out; text that is not a quantity is returned unchanged. */
export function roundUpToThousandth(text: string): string {
  const parts = MAY_HAVE_SUB_MILLI.test(text) ? splitParts(text) : undefined;
  if (parts === undefined || (keepsOriginalText(parts) && parts.exponent - parts.fraction.length >= SCALE_OF_THOUSANDTHS)) return text;
  const thousandths = (nanosOf(parts) + THOUSANDTH - 1n) / THOUSANDTH;
  return write(thousandths * (parts.positive ? THOUSANDTH : -THOUSANDTH), parts.format);
}

function splitParts(text: string): Parts | undefined {
  const match = text === '' || text.length > MAX_LENGTH ? null : QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = '', fraction = '', suffix = ''] = match;
  const whole = withoutLeadingZeros(digits);
  const unit = readSuffix(suffix);
  if (unit === undefined || Math.abs(unit.exponent) > MAX_EXPONENT) return undefined;
  return { positive: sign !== '-', whole: whole === '' ? '0' : whole, fraction, ...unit };
}

const withoutLeadingZeros = (digits: string): string => digits.slice(digits.search(/[1-9]|$/));

function readSuffix(suffix: string): Pick<Parts, 'exponent' | 'format'> | undefined {
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal >= 0) return { exponent: SMALLEST_DECIMAL_EXPONENT + 3 * decimal, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary >= 0) return { exponent: 10 * binary, format: 'BinarySI' };
  const exponent = EXPONENT.exec(suffix)?.[1];
  return exponent === undefined ? undefined : { exponent: Number(exponent), format: 'DecimalExponent' };
}

/** Absolute value in billionths, rounded up. */
function nanosOf({ whole, fraction, exponent, format }: Parts): bigint {
  const digits = BigInt(whole + fraction) * (format === 'BinarySI' ? 2n ** BigInt(exponent) : 1n);
  const scale = (format === 'BinarySI' ? 0 : exponent) - fraction.length - SMALLEST_DECIMAL_EXPONENT;
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return (digits + divisor - 1n) / divisor;
}

/** Go preserves text that it considers canonical, such as `+1`, `1.` and `1.500`. Clients compare this text. */
function keepsOriginalText({ whole, fraction, exponent, format }: Parts): boolean {
  const digits = whole + fraction;
  if (format === 'BinarySI') {
    const precision = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
    return fraction === '' && precision >= 0 && (BigInt(digits) & 7n) !== 0n;
  }
  const scale = exponent - fraction.length;
  return (
    digits.length <= FAST_DIGITS &&
    scale >= SMALLEST_DECIMAL_EXPONENT &&
    scale % 3 === 0 &&
    !digits.endsWith('000') &&
    !digits.startsWith('0')
  );
}

function write(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0';
  const size = nanos < 0n ? -nanos : nanos;
  return format === 'BinarySI' && size >= 1024n * NANO && size % NANO === 0n ? writeBinary(nanos / NANO) : writeDecimal(nanos, format);
}

function writeBinary(amount: bigint): string {
  let mantissa = amount;
  let suffix = 0;
  for (; suffix < BINARY_SUFFIXES.length - 1 && mantissa % 1024n === 0n; suffix++) mantissa /= 1024n;
  return `${mantissa}${BINARY_SUFFIXES[suffix] ?? ''}`;
}

/** The exponent is the largest multiple of three that leaves no fraction. */
function writeDecimal(nanos: bigint, format: QuantityFormat): string {
  const digits = String(nanos);
  let end = digits.length;
  while (digits.endsWith('000', end)) end -= 3;
  const exponent = SMALLEST_DECIMAL_EXPONENT + digits.length - end;
  const mantissa = digits.slice(0, end);
  if (exponent === 0) return mantissa;
  const suffix = format === 'DecimalExponent' ? undefined : DECIMAL_SUFFIXES[(exponent - SMALLEST_DECIMAL_EXPONENT) / 3];
  return `${mantissa}${suffix ?? `e${exponent}`}`;
}
