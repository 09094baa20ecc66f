/** What the quick reader takes, the library takes too, as the same values at the same places. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { readEverydayYaml } from './everyday-yaml.ts';
import { readAnyYaml } from './read-any-yaml.ts';
import { readSource } from './read-source.ts';

const RUNS = propertyRuns(1500);

/** Long keys and characters that JSON has and YAML has not are left to others. */
const UNUSUAL_CHARACTER = /[\x7F-\x9F\uD800-\uDFFF\uFEFF\uFFFE\uFFFF]/;

/** Whether the quick reader takes the text; then the library must have read the same. */
function expectSame(text: string): boolean {
  const documents = readEverydayYaml(text);
  if (documents === undefined) return false;
  const { refusals, ...read } = readAnyYaml(text);
  expect({ text, documents, refusals: [] }).toEqual({ text, ...read, refusals });
  return true;
}

/** Bits of YAML that mean something, so that a text of a few of them comes near to every rule. */
const BITS = [
  ...['a', 'b c', 'key', '5', '-1', '0x1F', 'yes', 'null', '~', '1e3', '.nan', '<<', 'http://x:80/y', 'a#b', 'a:b', 'é', '\u{1F600}'],
  ...['"q"', '"a b"', '"\\n\\"\\u0041"', '"', "'s'", "'it''s'", "'", '""', "''", '\\'],
  ...[
    ': ',
    ':',
    ':\n',
    '- ',
    '-',
    '-\n',
    '? ',
    ', ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '[]',
    '{}',
    '{a: b}',
    '[a, "b"]',
    '"k":',
    '#',
    ' # c\n',
    '#c\n',
  ],
  ...['\n', '\n', '\n', '\n', ' ', ' ', '  ', '    ', '\t', '\r\n', '\r', '---', '---\n', '\n---\n', '...\n', '%YAML 1.2\n'],
  ...[
    '&x ',
    '*x',
    '!t ',
    '!!str ',
    '|\n',
    '>-\n',
    '@',
    '`',
    '%',
    '*',
    '&',
    '!',
    '|',
    '>',
    'a: 1\n',
    '- a\n',
    '  b: 2\n',
    '  - c\n',
    'k:\n',
  ],
];

/** What stands on a line, behind an indentation and before a remark. */
const STARTS = ['', '', '- ', 'k: ', 'a: ', 'b: ', '- - ', '- k: ', '-   ', 'k: &x ', '- &x ', '&x '];
const ENDS = [
  ...['a', 'b: 1', '', '5', '"x"', "'y'", 'x y', 'x # c', '"x" # c', 'null', '~', 'http://x:1', 'k:   v  ', 'k : v', '"k": v', '# c'],
  ...[
    '[a, b]',
    '{a: b}',
    '{a: 1,',
    '[a,',
    'a]',
    'b,',
    'a: b}',
    '[]',
    '{}',
    ']',
    '}',
    'k: [x]',
    '- k: v',
    '- - a',
    '-',
    '? a',
    'a:',
    '"a',
    '- [a',
  ],
];
const line = fc
  .tuple(
    fc.constantFrom('', '', ' ', '  ', '  ', '    ', '\t'),
    fc.constantFrom(...STARTS),
    fc.constantFrom(...ENDS),
    fc.constantFrom('', '', ' ', ' # c'),
    fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', '\n---\n', '\n\n'),
  )
  .map((parts) => parts.join(''));

const folder = path.resolve(import.meta.dirname, '../../../examples/config');
const examples = readdirSync(folder).map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

/** Something of a file replaced by a bit. */
const changedExample = fc
  .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...BITS))
  .map(([{ text }, at, length, bit]) => text.slice(0, at % text.length) + bit + text.slice((at % text.length) + length));

const value = fc.jsonValue({ maxDepth: 4 });

/** The share of the texts that was taken. */
function tryAll(texts: fc.Arbitrary<string>): number {
  let taken = 0;
  fc.assert(
    fc.property(texts, (text) => {
      if (expectSame(text)) taken++;
    }),
    RUNS,
  );
  return taken / RUNS.numRuns;
}

describe('the quick reader of everyday YAML', () => {
  it.each([
    ['of whatever bits a text is made', fc.array(fc.constantFrom(...BITS), { maxLength: 14 }).map((bits) => bits.join(''))],
    ['of whatever lines a text is made', fc.array(line, { maxLength: 7 }).map((lines) => lines.join(''))],
    ['whatever is changed in a file', changedExample],
  ])('reads what it reads as the library does, %s', (_what, texts) => expect(tryAll(texts)).toBeGreaterThan(0.02), propertyTimeoutMs);

  it.each(examples)('reads $file', ({ text }) => {
    expect(expectSame(text)).toBe(true);
    expect(expectSame(text.replaceAll('\n', '\r\n'))).toBe(true);
  });

  it('reads JSON, however it is indented', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, 2, '\t'), (json, indent) => {
        const text = JSON.stringify({ json: [json] }, undefined, indent);
        fc.pre(!UNUSUAL_CHARACTER.test(text));
        expect(expectSame(text)).toBe(true);
      }),
      propertyRuns(150),
    );
  });

  it.each([
    ['a comment at the start of a line in braces', '{a: 1\n#c\n}', true],
    ['a hundred brackets', `${'['.repeat(100)}${']'.repeat(100)}`, true],
    ['more brackets', `${'['.repeat(101)}${']'.repeat(101)}`, false],
    ['a colon far behind its key', `a${' '.repeat(1100)}: 1`, false],
    ['a colon far behind its key in braces', `{a${' '.repeat(1100)}: 1}`, false],
  ])('reads %s as the library does, or leaves it', (_what, text, isTaken) => expect(expectSame(text)).toBe(isTaken));

  it('leaves what needs a closer look to the library', () => {
    const texts = [
      '&x a: 1',
      'a: *x',
      'a: !!str 1',
      'a: |\n  b',
      'a: b\n  c',
      'a: "b\n  c"',
      '? a',
      'a: &x *y',
      '%YAML 1.2\n---\na: 1',
      'a: 1\n...\n',
      'a: b: c',
      ' a: 1\nb: 2',
    ];
    expect(texts.map(readEverydayYaml)).toEqual(texts.map(() => undefined));
  });

  it('counts lines and columns behind a byte order mark', () => {
    const { documents, placeOf } = readSource('\uFEFFa: 1\nb: 2');
    expect(documents).toMatchObject([{ root: { entries: [{ key: { text: 'a', start: 1 } }, { key: { text: 'b', start: 6 } }] } }]);
    expect([1, 6].map(placeOf)).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
    ]);
    // Both readers.
    for (const list of ['- a\n- b', '- a\n- !!str b']) {
      expect(readSource(`\uFEFF${list}`)).toMatchObject({
        documents: [{ root: { start: 1, elements: [{ start: 3 }, {}] } }],
        refusals: [],
      });
    }
  });
});
