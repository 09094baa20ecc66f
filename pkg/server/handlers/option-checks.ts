/** Checks shared by the options of several verbs. All causes of a request are reported at once. */
import { badRequest, invalid, type StatusCause } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { type Revision, toRevision } from '../../storage/backend.ts';

export function throwOptionCauses(kind: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid({ group: META_GROUP, kind }, '', causes);
}

export const notSupported = (field: string, value: string, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((word) => JSON.stringify(word)).join(', ')}`,
});
export const forbidden = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${why}`,
});
export const invalidValue = (field: string, value: string, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
});
export const tooLong = (field: string, maxBytes: number): StatusCause => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${maxBytes} bytes`,
});

const DIGITS = /^[0-9]{1,20}$/;
const UINT64_MAX = 2n ** 64n - 1n;

/** Throws BadRequest unless it is a uint64. Revisions stay below 2^53: a larger number is in the future. */
export function parseResourceVersion(text: string): Revision {
  if (!DIGITS.test(text) || BigInt(text) > UINT64_MAX) {
    throw badRequest(`invalid resource version ${JSON.stringify(text)}: not a 64-bit number`);
  }
  return toRevision(Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}
