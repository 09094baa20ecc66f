import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatusError } from '../status/status-error.ts';
import { fnv1a64 } from './fnv1a.ts';
import { parseShardSelector, shardSelectorText } from './shard-selector.ts';

const UID = 'object.metadata.uid';
const END = 2n ** 64n;
const hex = (bound: bigint) => `0x${bound.toString(16)}`;
const range = (start: bigint, end: bigint, field = UID) => `shardRange(${field}, '${hex(start)}', '${hex(end)}')`;
const bound = fc.bigInt({ min: 0n, max: END });
const uid = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme' }));

function messageOf(text: string): string {
  try {
    parseShardSelector(text);
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error.message;
    throw error;
  }
  throw new Error('not refused');
}

describe('parseShardSelector', () => {
  it.each([
    [range(0n, END), [[UID, '0x0', '0x10000000000000000']]],
    [range(1n, 0xffn), [[UID, '0x1', '0xff']]],
    [
      `(${range(0n, 1n)}||(${range(2n, 3n)}))`,
      [
        [UID, '0x0', '0x1'],
        [UID, '0x2', '0x3'],
      ],
    ],
    [`shardRange(object.metadata.namespace,"0x0",r'0xf')//to here`, [['object.metadata.namespace', '0x0', '0xf']]],
    [String.raw`x.shardRange(object.metadata.uid, '\x30\u0078\060', '0x\U00000066')`, [[UID, '0x0', '0xf']]],
  ])('parses %s', (text, expected) => {
    expect(parseShardSelector(text).ranges.map(({ field, start, end }) => [field, start, end])).toEqual(expected);
  });

  it.each([
    ['', 'it is empty; omit the parameter to select everything'],
    ['shardRange', 'expected "(" instead of the end'],
    [`${range(0n, 1n)} && ${range(1n, 2n)}`, 'unexpected "&" at character 47'],
    [`${range(0n, 1n)} ${range(1n, 2n)}`, 'expected "||" instead of "shardRange": ranges can only be combined by ||'],
    [`(${range(0n, 1n)}`, 'expected ")" or "||" instead of the end: ranges can only be combined by ||'],
    [`${range(0n, 1n)})`, 'expected "||" instead of ")": ranges can only be combined by ||'],
    [range(0n, 1n, 'metadata.uid'), '"metadata.uid" is not a supported field; use object.metadata.uid and object.metadata.namespace'],
    [range(1n, 1n), 'the start of a range, 0x1, must be below its end, 0x1'],
    [
      `${range(0n, 1n)}||${range(1n, 2n, 'object.metadata.namespace')}`,
      'all ranges must be of the same field, not of object.metadata.uid and object.metadata.namespace',
    ],
    [
      `shardRange(${UID}, '0x0', '0xF')`,
      `a bound must be a string of 0x and 1 to 16 digits of 0-9 and a-f, or '0x10000000000000000', not "0xF"`,
    ],
    [
      `shardRange(${UID}, '0x0', '0x00000000000000001')`,
      `a bound must be a string of 0x and 1 to 16 digits of 0-9 and a-f, or '0x10000000000000000', not "0x00000000000000001"`,
    ],
    [`shardRange(${UID}, '0x0', '0x1`, `unexpected "'" at character 40`],
    ['size(x)', 'expected shardRange(…) instead of "size"'],
  ])('reports the error in %s', (text, message) => {
    expect(messageOf(text)).toBe(`invalid shard selector: ${message}`);
  });

  it('throws only StatusErrors, however deep or long the text is', () => {
    const piece = fc.constantFrom(
      'shardRange',
      '(',
      ')',
      ',',
      '.',
      '||',
      '|',
      UID,
      "'0x0'",
      '"0x1"',
      "'",
      '"',
      '\\',
      '//',
      '\n',
      ' ',
      'é',
      'r',
      "''",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          parseShardSelector(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
    );
    expect(messageOf('('.repeat(60_000))).toContain('expected a name');
    expect(messageOf(' '.repeat(70_000))).toContain('longer than');
  });

  it('round-trips', () => {
    const ranges = fc.array(fc.uniqueArray(bound, { minLength: 2, maxLength: 2 }), { minLength: 1 });
    fc.assert(
      fc.property(ranges, (pairs) => {
        const text = pairs.map((pair) => range(...([...pair].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint]))).join(' || ');
        expect(shardSelectorText(parseShardSelector(text))).toBe(text);
      }),
    );
  });
});

describe('ShardSelector', () => {
  it('selects each object by exactly one shard of a partition', () => {
    fc.assert(
      fc.property(fc.uniqueArray(bound, { maxLength: 20 }), fc.array(uid), (cuts, uids) => {
        const edges = [...new Set([0n, ...cuts, END])].sort((a, b) => (a < b ? -1 : 1));
        const shards = edges.slice(1).map((end, i) => parseShardSelector(range(edges[i] ?? 0n, end)));
        for (const each of uids) expect(shards.filter((shard) => shard.matches({ uid: each, namespace: '' }))).toHaveLength(1);
      }),
    );
  });

  it('includes the start of a range and excludes its end', () => {
    fc.assert(
      fc.property(
        uid,
        fc.uniqueArray(bound, { minLength: 2, maxLength: 2 }),
        fc.bigInt({ min: -2n, max: 2n }),
        (namespace, pair, offset) => {
          const { high, low } = fnv1a64(namespace);
          const hash = (BigInt(high) << 32n) + BigInt(low);
          const near = hash + offset;
          const [start = 0n, end = 0n] = [near < 0n ? 0n : near, ...pair].sort((a, b) => (a < b ? -1 : 1));
          fc.pre(start < end && end <= END);
          const selector = parseShardSelector(range(start, end, 'object.metadata.namespace'));
          expect(selector.matches({ uid: '', namespace })).toBe(start <= hash && hash < end);
        },
      ),
    );
  });
});

describe('fnv1a64', () => {
  it('matches the definition, on UTF-8', () => {
    const defined = (text: string): bigint => {
      let hash = 0xcbf29ce484222325n;
      for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % END;
      return hash;
    };
    fc.assert(
      fc.property(uid, (text) => {
        const { high, low } = fnv1a64(text);
        expect((BigInt(high) << 32n) + BigInt(low)).toBe(defined(text));
      }),
    );
  });
});
