/** Parses address ranges like the components do, so that only ranges they reject are rejected. */
import { isIPv4, isIPv6 } from 'node:net';

export interface Cidr {
  readonly family: 'IPv4' | 'IPv6';
  readonly prefixLength: number;
  /** Canonical text of the range. */
  readonly network: string;
  /** Whether the address has bits set after the prefix, which are ignored. */
  readonly hasHostBits: boolean;
}

const MAPPED_PREFIX = 0xffffn << 32n;
const BITS = { IPv4: 32, IPv6: 128 } as const;

/** Undefined if `text` is not a range. An IPv4-mapped IPv6 range (`::ffff:10.0.0.0/104`) is an IPv4 range. */
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

/** Numbers with leading zeros in IPv4 addresses are decimal. */
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
  // WHATWG URLs use the shortest form, like RFC 5952.
  return new URL(`http://[${(hex.match(/.{4}/g) ?? []).join(':')}]`).hostname.slice(1, -1);
}
