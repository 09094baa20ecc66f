/** Parsers of flag values. Each throws a plain Error whose message completes "--name: ". */
import { isIP } from 'node:net';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import type { DefaultedFlag } from './flag.ts';

export const text = (value: string): string => {
  if (value === '') throw new Error('must not be empty');
  return value;
};

export const integer =
  (min: number, max: number, what: string) =>
  (value: string): number => {
    const number = /^[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`${JSON.stringify(value)} is not ${what} from ${min} to ${max}`);
    return number;
  };

const UNIT_BYTES: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

export function bytes(value: string): number {
  const match = /^([0-9]{1,12})(k|M|G|Ki|Mi|Gi)?$/.exec(value);
  if (match === null) throw new Error(`${JSON.stringify(value)} is not a number of bytes, such as 256Mi`);
  return Number(match[1]) * (UNIT_BYTES[match[2] ?? ''] ?? 1);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function durationMs(value: string): number {
  const parts = [...value.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== value) {
    throw new Error(`${JSON.stringify(value)} is not a duration, such as 1h or 90s`);
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

export const durationFrom =
  (minMs: number) =>
  (value: string): number => {
    const ms = durationMs(value);
    if (ms < minMs) throw new Error(`${JSON.stringify(value)} is less than ${minMs}ms`);
    return ms;
  };

/** Whole seconds. */
export const secondsFrom = (minSeconds: number) => {
  const parse = durationFrom(minSeconds * 1000);
  return (value: string): number => Math.floor(parse(value) / 1000);
};

export function servers(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const url = part.trim();
    if (!URL.canParse(url)) throw new Error(`${JSON.stringify(url)} is not a URL, such as http://127.0.0.1:2379`);
    const { protocol, hostname } = new URL(url);
    if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') {
      throw new Error(`${JSON.stringify(url)} is not an http or https URL, such as http://127.0.0.1:2379`);
    }
    return url;
  });
}

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_SUFFIX = 200;

export function domain(value: string): string {
  if (!DOMAIN.test(value) || value.length > MAX_SUFFIX) {
    throw new Error(`${JSON.stringify(value)} is not a domain name in lower case, such as ${DEFAULT_GROUP_SUFFIX}`);
  }
  return value;
}

/** Patterns must pin both ends of the host, or they would match other hosts (CVE-2022-1996). Empty: none. */
export const originPatterns = (value: string): readonly RegExp[] => (value === '' ? [] : value.split(',').map(originPattern));

function originPattern(pattern: string): RegExp {
  const isPinned = /\^|\/\//.test(pattern) && /\$|(?<!\(\?):(?!\/\/)/.test(pattern);
  if (!isPinned) {
    throw new Error(`${JSON.stringify(pattern)} does not pin the host: begin it with "^" or "//" and end it with "$" or "(:|$)"`);
  }
  try {
    return new RegExp(pattern);
  } catch {
    throw new Error(`${JSON.stringify(pattern)} is not a regular expression`);
  }
}

export const oneOf =
  <const Choice extends string>(...choices: readonly Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((each) => each === value);
    if (choice === undefined) throw new Error(`${JSON.stringify(value)} is not one of ${choices.join(', ')}`);
    return choice;
  };

function boolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error(`${JSON.stringify(value)} is neither true nor false`);
  return value === 'true';
}

/** A flag whose name alone means true. */
export const booleanFlag = (flag: Pick<DefaultedFlag<boolean>, 'name' | 'alias' | 'help' | 'default'>): DefaultedFlag<boolean> => ({
  ...flag,
  placeholder: 'BOOL',
  alone: 'true',
  parse: boolean,
});

export function address(value: string): string {
  if (isIP(value) === 0) throw new Error(`${JSON.stringify(value)} is not an IP address, such as 127.0.0.1 or 0.0.0.0`);
  return value;
}

export function httpsUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    url?.protocol !== 'https:' ||
    url.hostname === '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  ) {
    throw new Error(`${JSON.stringify(value)} is not the https URL of a server, such as https://coxswain.example:6443`);
  }
  return url.origin;
}

/** RFC 1123: a label. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export function namespace(value: string): string {
  if (!NAMESPACE.test(value)) throw new Error(`${JSON.stringify(value)} is not the name of a namespace`);
  return value;
}

export function texts(value: string): readonly string[] {
  return value.split(',').map((part) => text(part.trim()));
}

/** `claim=value,claim=value` */
export const claims = (value: string): readonly { readonly claim: string; readonly value: string }[] =>
  texts(value).map((part) => {
    const [claim = '', ...rest] = part.split('=');
    if (claim === '' || rest.length === 0) throw new Error(`${JSON.stringify(part)} is not a claim and its value, such as hd=example.com`);
    return { claim, value: rest.join('=') };
  });
