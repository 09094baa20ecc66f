/** Checks of decoded scalars for the compiled validators. They accept what Kubernetes' decoder accepts. */
import { isBase64 } from '../apimachinery/json/base64-text.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { isQuantity as isQuantityText } from '../apimachinery/quantity/quantity.ts';
import { isDuration as isDurationText } from '../apimachinery/time/duration.ts';
import { isMicroTime as isMicroTimeText, isTime as isTimeText } from '../apimachinery/time/rfc3339.ts';

const INT32_MAX = 2 ** 31 - 1;
const INT32_MIN = -(2 ** 31);
const INT64_LIMIT = 2 ** 63;

export const isInt32 = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX;

/** Integers that no double represents exactly are `bigint`, including the 64-bit minimum and maximum. */
export const isInt64 = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && value > -INT64_LIMIT && value < INT64_LIMIT
    : typeof value === 'bigint' && BigInt.asIntN(64, value) === value;

export const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

export const isIntOrString = (value: unknown): boolean => typeof value === 'string' || isInt32(value);

export const isRaw = (value: unknown): boolean => value instanceof RawJson;

const OPENING_BRACE = 0x7b;

/** fieldsV1 is decoded to raw JSON; only its outermost type is checked. */
export const isFieldsV1 = (value: unknown): boolean =>
  value instanceof RawJson ? value.bytes[0] === OPENING_BRACE : typeof value === 'object' && value !== null && !Array.isArray(value);

export const isBytes = (value: unknown): boolean => typeof value === 'string' && isBase64(value);

/** The zero time is `null`. Decoded only in a map or list, where it cannot be absent. */
export const isTime = (value: unknown): boolean => value === null || (typeof value === 'string' && isTimeText(value));

/** The zero time is `null`, as in `isTime`. */
export const isMicroTime = (value: unknown): boolean => value === null || (typeof value === 'string' && isMicroTimeText(value));

export const isDuration = (value: unknown): boolean => typeof value === 'string' && isDurationText(value);

/** A JSON number is also a quantity. */
export const isQuantity = (value: unknown): boolean => isNumber(value) || (typeof value === 'string' && isQuantityText(value));
