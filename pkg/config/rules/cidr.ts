/** Address ranges as the components read them: leniently, so that only what they refuse is refused. */
import { isIPv4, isIPv6 } from 'node:net';

export interface Cidr {
  readonly family: 'IPv4' | 'IPv6';
  readonly prefixLength: number;
  /** Canonical spelling of the range. */
  readonly network: string;
  /** Whether the address has bits behind the prefix; they are taken for 0. */
  readonly hasHostBits: boolean;
}

const MAPPED_PREFIX = 0xffffn << 32n;
const BITS = { IPv4: 32, IPv6: 128 } as const;

/** Undefined when `text` is no range. A range of IPv4 addresses written in IPv6 (`::ffff:10.0.0.0/104`) is one of IPv4. */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = '', digits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = parseAddress(address);
  if (parsed === undefined || (digits.length > 1 && digits.startsWith('0'))) return undefined;
  const length = Number(digits);
  if (length > BITS[parsed.family]) return undefined;
  if (parsed.family === 'IPv6' && parsed.value >> 32n === MAPPED_PREFIX >> 32n && length >= 96) {
    return rangeOf('IPv4', parsed.value & 0xffffffffn, length - 96);
  }
  return rangeOf(parsed.family, parsed.value, length);
}

function rangeOf(family: Cidr['family'], value: bigint, prefixLength: number): Cidr {
  const free = BigInt(BITS[family] - prefixLength);
  const network = (value >> free) << free;
  return { family, prefixLength, network: `${formatAddress(family, network)}/${prefixLength}`, hasHostBits: network !== value };
}

export const isAddress = (text: string): boolean => parseAddress(text) !== undefined;

/** Zeros in front of an IPv4 number are decimal zeros. */
function parseAddress(text: string): { readonly family: Cidr['family']; readonly value: bigint } | undefined {
  const plain = /^[\d.]+$/.test(text) ? text.split('.').map(withoutZeros).join('.') : text;
  if (isIPv4(plain)) return { family: 'IPv4', value: BigInt(`0x${hexOfIPv4(plain)}`) };
  return isIPv6(text) && !text.includes('%') ? { family: 'IPv6', value: valueOfIPv6(text) } : undefined;
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

const hexOfIPv4 = (text: string): string =>
  text
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');

function valueOfIPv6(text: string): bigint {
  const groups = text.replace(/[^:]+\.[^:]+$/, (dotted) => hexOfIPv4(dotted).replace(/^(.{4})/, '$1:'));
  const [head = '', tail] = groups.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  return BigInt(`0x${[...(before ?? []), ...zeros, ...(after ?? [])].map((group) => group.padStart(4, '0')).join('')}`);
}

function formatAddress(family: Cidr['family'], value: bigint): string {
  const hex = value.toString(16).padStart(BITS[family] / 4, '0');
  if (family === 'IPv4') return (hex.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)).join('.');
  // WHATWG URLs have the shortest form, which is RFC 5952's.
  return new URL(`http://[${(hex.match(/.{4}/g) ?? []).join(':')}]`).hostname.slice(1, -1);
}
