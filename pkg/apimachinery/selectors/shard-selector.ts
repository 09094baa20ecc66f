/**
 * Parses a shard selector in linear time: `shardRange(object.metadata.uid, '0x0', '0x8000000000000000') ||
 * shardRange(…)`. The syntax is a subset of CEL, with parentheses around ranges, comments, raw strings and escapes;
 * nothing is evaluated.
 */
import { badRequest, type StatusError } from '../status/status-error.ts';
import { fnv1a64, isBelow, type Uint64 } from './fnv1a.ts';

/** Selects objects by the 64-bit FNV-1a hash of one field, which must be in one of the ranges. */
export interface ShardSelector {
  /** At least one; all for the same field. */
  readonly ranges: readonly ShardRange[];
  /** `namespace` is empty for a cluster-scoped object. */
  matches(object: { readonly uid: string; readonly namespace: string }): boolean;
}

export interface ShardRange {
  readonly field: ShardField;
  /** As written: `0x` and hexadecimal digits. Inclusive. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
}

export type ShardField = 'object.metadata.uid' | 'object.metadata.namespace';

const MAX_SELECTOR_LENGTH = 64 * 1024;
const FUNCTION = 'shardRange';
const UID: ShardField = 'object.metadata.uid';
const NAMESPACE: ShardField = 'object.metadata.namespace';
/** 2^64, the end of the range of hashes. */
const END_OF_HASHES = '0x10000000000000000';
const BOUND = /^0x[0-9a-f]{1,16}$/;

/** Throws StatusError BadRequest, also for empty text. */
export function parseShardSelector(text: string): ShardSelector {
  if (text.length > MAX_SELECTOR_LENGTH) throw invalidShardSelector(`longer than ${MAX_SELECTOR_LENGTH} characters`);
  const ranges = new ShardSelectorParser(tokensOf(text)).ranges();
  const [first] = ranges;
  if (first === undefined) throw invalidShardSelector('it is empty; omit the parameter to select everything');
  const other = ranges.find(({ field }) => field !== first.field);
  if (other !== undefined) throw invalidShardSelector(`all ranges must be of the same field, not of ${first.field} and ${other.field}`);
  const bounds = ranges.map(({ start, end }) => ({ start: toUint64(start), end: toUint64(end) }));
  const isInside = (hash: Uint64) => bounds.some(({ start, end }) => !isBelow(hash, start) && isBelow(hash, end));
  return { ranges, matches: ({ uid, namespace }) => isInside(fnv1a64(first.field === UID ? uid : namespace)) };
}

/** The canonical text. */
export const shardSelectorText = ({ ranges }: ShardSelector): string =>
  ranges.map(({ field, start, end }) => `${FUNCTION}(${field}, '${start}', '${end}')`).join(' || ');

const invalidShardSelector = (why: string): StatusError => badRequest(`invalid shard selector: ${why}`);

type ShardTokenKind = 'word' | 'string' | 'symbol' | 'end';
interface ShardToken {
  readonly kind: ShardTokenKind;
  /** For a string, its unescaped content. */
  readonly text: string;
}

const END: ShardToken = { kind: 'end', text: '' };
const SPACE = /(?:[ \t\r\n\f]|\/\/[^\n]*)+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const STRING = /([rR]?)(['"])((?:\\[\s\S]|(?!\2)[^\\])*)\2/y;
const SYMBOL = /\|\||[(),.]/y;
/** The escapes that can represent a hexadecimal digit. Others keep their backslash, which is invalid in a bound. */
const ESCAPES = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/g;

function tokensOf(text: string): readonly ShardToken[] {
  const tokens: ShardToken[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  for (;;) {
    match(SPACE);
    if (at === text.length) return tokens;
    const string = match(STRING);
    if (string !== undefined) {
      const [, raw = '', , content = ''] = string;
      tokens.push({ kind: 'string', text: raw === '' ? unescape(content) : content });
      continue;
    }
    const word = match(WORD);
    const found = word ?? match(SYMBOL);
    if (found === undefined) throw invalidShardSelector(`unexpected ${JSON.stringify(text.charAt(at))} at character ${at + 1}`);
    tokens.push({ kind: word === undefined ? 'symbol' : 'word', text: found[0] });
  }
}

const unescape = (content: string): string =>
  content.replace(ESCAPES, (escape, x?: string, u?: string, U?: string, octal?: string) => {
    const code = octal === undefined ? parseInt(x ?? u ?? U ?? '', 16) : parseInt(octal, 8);
    return code < 0x80 ? String.fromCharCode(code) : escape;
  });

class ShardSelectorParser {
  readonly #tokens: readonly ShardToken[];
  #at = 0;

  constructor(tokens: readonly ShardToken[]) {
    this.#tokens = tokens;
  }

  /** Ranges joined by `||`. Parentheses have no effect here, so they are only counted. */
  ranges(): readonly ShardRange[] {
    const ranges: ShardRange[] = [];
    if (this.#tokens.length === 0) return ranges;
    for (let open = 0; ;) {
      for (; this.#accept('('); open++);
      ranges.push(this.#range());
      for (; open > 0 && this.#accept(')'); open--);
      if (this.#accept('||')) continue;
      const { kind, text } = this.#peek();
      if (kind === 'end' && open === 0) return ranges;
      throw invalidShardSelector(
        `expected ${open > 0 ? '")" or ' : ''}"||" instead of ${quotedToken(text)}: ranges can only be combined by ||`,
      );
    }
  }

  #range(): ShardRange {
    const called = this.#path();
    // As in CEL, the receiver of a function call is not part of its name.
    if (called.split('.').at(-1) !== FUNCTION) throw invalidShardSelector(`expected ${FUNCTION}(…) instead of ${quotedToken(called)}`);
    this.#expect('(');
    const field = this.#path();
    if (field !== UID && field !== NAMESPACE)
      throw invalidShardSelector(`${quotedToken(field)} is not a supported field; use ${UID} and ${NAMESPACE}`);
    this.#expect(',');
    const start = this.#bound();
    this.#expect(',');
    const end = this.#bound();
    this.#expect(')');
    if (!isBelow(toUint64(start), toUint64(end)))
      throw invalidShardSelector(`the start of a range, ${start}, must be below its end, ${end}`);
    return { field, start, end };
  }

  /** Names joined by dots. */
  #path(): string {
    const names: string[] = [];
    do {
      const { kind, text } = this.#next();
      if (kind !== 'word') throw invalidShardSelector(`expected a name instead of ${quotedToken(text)}`);
      names.push(text);
    } while (this.#accept('.'));
    return names.join('.');
  }

  #bound(): string {
    const { kind, text } = this.#next();
    if (kind === 'string' && (BOUND.test(text) || text === END_OF_HASHES)) return text;
    throw invalidShardSelector(
      `a bound must be a string of 0x and 1 to 16 digits of 0-9 and a-f, or '${END_OF_HASHES}', not ${quotedToken(text)}`,
    );
  }

  #expect(symbol: string): void {
    if (!this.#accept(symbol))
      throw invalidShardSelector(`expected ${JSON.stringify(symbol)} instead of ${quotedToken(this.#peek().text)}`);
  }

  #accept(symbol: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== 'symbol' || text !== symbol) return false;
    this.#at++;
    return true;
  }

  #peek(): ShardToken {
    return this.#tokens[this.#at] ?? END;
  }

  #next(): ShardToken {
    return this.#tokens[this.#at++] ?? END;
  }
}

const quotedToken = (text: string): string => (text === '' ? 'the end' : JSON.stringify(text));

/** The value of a bound, which may have fewer than 16 digits. */
function toUint64(bound: string): Uint64 {
  const digits = bound.slice(2);
  const high = digits.slice(0, -8);
  return { high: high === '' ? 0 : parseInt(high, 16), low: parseInt(digits.slice(-8), 16) };
}
