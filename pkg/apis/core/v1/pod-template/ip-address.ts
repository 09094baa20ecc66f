import { isIPv4, isIPv6 } from 'node:net';
import { invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

const LEADING_ZEROS = /^\d+(?:\.\d+){3}$/;

/** An address without a zone. Parsers disagree on leading zeros and IPv4-mapped IPv6, so neither is allowed. */
export function ipAddressCauses(text: string, path: FieldPath): readonly StatusCause[] {
  if (isIPv4(text)) return NO_CAUSES;
  if (isIPv6(text) && !text.includes('%')) {
    return isMappedIpv4(text) ? [invalidValue(path, text, 'must not be an IPv4-mapped IPv6 address')] : NO_CAUSES;
  }
  const isPadded = LEADING_ZEROS.test(text) && isIPv4(text.split('.').map(Number).join('.'));
  return [
    invalidValue(path, text, isPadded ? 'must not have leading 0s' : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
  ];
}

/** Whether the address is in `::ffff:0:0/96`, in any spelling. */
function isMappedIpv4(address: string): boolean {
  const [before = '', after] = address.split('::');
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail].slice(0, 6).every((group, index) => group === (index < 5 ? 0 : 0xffff));
}

/** The groups of 16 bits. A dotted suffix becomes two groups with value 0, because the caller ignores their values. */
const groupsOf = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
