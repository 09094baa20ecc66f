/** Checks shared by the options of several verbs. All causes of a request are reported at once. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { badRequest, invalid, type StatusCause } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { type Revision, toRevision } from '../../storage/backend.ts';
import { numberError } from '../filters/query.ts';

export function throwOptionCauses(kind: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid({ group: META_GROUP, kind }, '', causes);
}

const DIGITS = /^[0-9]{1,20}$/;
const UINT64_MAX = 2n ** 64n - 1n;

/** Throws BadRequest unless it is a uint64. Revisions stay below 2^53: a larger number is in the future. */
export function parseResourceVersion(text: string): Revision {
  if (!DIGITS.test(text) || BigInt(text) > UINT64_MAX) {
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${quotedText(text)}: ${numberError('ParseUint', text)}`);
  }
  return toRevision(Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}
