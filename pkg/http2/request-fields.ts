/** Validates the header fields of a request (RFC 9113 §8). */
import type { ReceivedField } from './received-field.ts';

export interface RequestFields {
  readonly method: string;
  /** Absent for CONNECT. */
  readonly path: string | undefined;
  /**
   * Without pseudo-header fields; `:authority` replaces `host` (§8.3.1). Names are in lower case; repeated fields are
   * combined as on HTTP/1.1.
   */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of fields that were sent more than once. */
  readonly repeated: ReadonlyMap<string, readonly string[]> | undefined;
  readonly contentLength: number | undefined;
}

const PSEUDO = new Set([':method', ':scheme', ':authority', ':path']);
/** Connection-specific fields of HTTP/1.1, which are forbidden (§8.2.2). */
export const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
/** Only the first value counts, as in Go's and Node's servers. Combined credentials would be invalid. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'etag',
  'from',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'user-agent',
]);
/** The characters that the request line and Host of HTTP/1.1 allow too. */
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TARGET = /^[^\0-\x20\x7f]+$/;
const DIGITS = /^\d{1,15}$/;

/** Undefined when the request is malformed. */
export function readRequestFields(fields: readonly ReceivedField[]): RequestFields | undefined {
  const pseudo = new Map<string, string>();
  const headers: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>;
  let repeated: Map<string, string[]> | undefined;
  let isRegular = false;
  for (const { name, value: sent, isWellFormed } of fields) {
    if (!isWellFormed) return undefined;
    // Trimmed as on HTTP/1.1, although §8.2.1 forbids the spaces.
    const value = trimmed(sent);
    if (name.startsWith(':')) {
      if (isRegular || !PSEUDO.has(name) || pseudo.has(name)) return undefined;
      pseudo.set(name, value);
      continue;
    }
    isRegular = true;
    if (CONNECTION_FIELDS.has(name) || (name === 'te' && value !== 'trailers')) return undefined;
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (name === 'content-length' || name === 'host') {
      if (before !== value) return undefined;
    } else if (!SINGLE_FIELDS.has(name)) {
      headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
      repeated ??= new Map();
      const values = repeated.get(name);
      if (values === undefined) repeated.set(name, [before, value]);
      else values.push(value);
    }
  }
  const method = pseudo.get(':method');
  const path = pseudo.get(':path');
  const authority = pseudo.get(':authority');
  const { 'content-length': length, host } = headers;
  if (method === undefined || !isTarget(method, path, pseudo.get(':scheme'), authority) || (authority ?? host ?? '') === '')
    return undefined;
  if (length !== undefined && !DIGITS.test(length)) return undefined;
  if (authority !== undefined) headers['host'] = authority;
  return { method, path, headers, repeated, contentLength: length === undefined ? undefined : Number(length) };
}

/** §8.3.1, §8.5. */
function isTarget(method: string, path?: string, scheme?: string, authority?: string): boolean {
  if (!METHOD.test(method) || (authority !== undefined && !TARGET.test(authority))) return false;
  if (method === 'CONNECT') return path === undefined && scheme === undefined && authority !== undefined;
  if (path === undefined || scheme === undefined || scheme === '' || !TARGET.test(path)) return false;
  return path.startsWith('/') || (path === '*' && method === 'OPTIONS');
}

export const areTrailers = (fields: readonly ReceivedField[]): boolean =>
  fields.every(({ name, isWellFormed }) => isWellFormed && !name.startsWith(':') && !CONNECTION_FIELDS.has(name));

/** Not a regular expression, which would take quadratic time. */
function trimmed(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value.charCodeAt(start))) start++;
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;
