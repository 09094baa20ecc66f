import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { parseConfig } from './load-config.ts';
import { MAX_SOURCE_BYTES } from './source/read-source.ts';
import { readText } from './source/read-text.ts';

const HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';

/** Nine lists, each containing the previous one nine times. */
const bomb = (field: string) =>
  `${HEAD}${field}:\n${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
    .map(
      (name, index, names) =>
        `  ${name}: &${name} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*${names[index - 1] ?? ''}`)).join(',')}]\n`,
    )
    .join('')}`;

const reasons = (text: string) => parseConfig(text).problems.map(({ reason }) => reason);

describe('malicious input', () => {
  it('cannot be amplified by aliases', () => {
    expect(new Set(reasons(bomb('Generic')))).toEqual(new Set(['UnknownField']));
    expect(reasons(`${bomb('x')}Generic: {Controllers: [*i, *i]}`)).toEqual(['UnknownField', 'WrongType', 'WrongType']);
  });

  it('cannot be amplified by merge keys', () => {
    const entries = Array.from({ length: 200 }, (_, index) => `k${index}: 1`).join(', ');
    const maps = Array.from({ length: 200 }, () => '*m').join(', ');
    expect(reasons(`${HEAD}x: &m {${entries}}\nGeneric: {<<: [${maps}]}`)).toEqual(['Syntax']);
    const many = `x: &m {${entries}}\ny: [${'{<<: *m},'.repeat(90)}]\n`;
    expect(parseConfig(`${HEAD}${many}`).problems).not.toMatchObject([{ reason: 'Syntax' }]);
    expect(parseConfig([many, many, many].join('---\n')).problems).toMatchObject([
      { reason: 'UnknownKind', document: 1 },
      { reason: 'Syntax', document: 2, message: 'merge keys add more than 20000 entries' },
      { reason: 'Syntax', document: 3 },
    ]);
  });

  it('cannot contain itself', () => {
    expect(parseConfig(`${HEAD}Generic: &g {LeaderMigration: *g}`).problems).toMatchObject([
      { reason: 'Syntax', line: 3, column: 31, message: 'the anchor "g" contains itself' },
    ]);
    expect(parseConfig(`${HEAD}Generic: *nothing`).problems).toMatchObject([{ message: 'there is no anchor "nothing"' }]);
  });

  it.each([
    ['lists', '['.repeat(50_000)],
    ['maps', '{a: '.repeat(50_000)],
    ['list entries', '- '.repeat(5_000)],
    ['explicit keys', '? '.repeat(5_000)],
    ['closed lists', `a: ${'['.repeat(101)}${']'.repeat(101)}`],
  ])('cannot be nested without limit: %s', (_what, text) => {
    expect(parseConfig(text).problems).toMatchObject([{ severity: 'error', message: 'nested deeper than 100 levels' }]);
  });

  it.each([
    ['tokens', `${HEAD}x: !!str a\n${'#\n'.repeat(300_000)}`, 'the text has more than 200000 tokens; it is read up to here'],
    [
      'values',
      `${HEAD}Generic:\n  Controllers:\n${'  - a\n'.repeat(300_000)}`,
      'the text has more than 200000 tokens; it is read up to here',
    ],
    ['values in brackets', `${HEAD}x: [${'a,'.repeat(300_000)}]`, 'the text has more than 200000 tokens; it is read up to here'],
    ['documents', '---\n'.repeat(100_000), 'the text has more than 100 documents; it is read up to here'],
    ['mistakes: each in a document', '--- ]\n'.repeat(100_000), 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: brackets', ']\n'.repeat(1_000_000), 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: brackets that never opened', `${HEAD}${'}]'.repeat(500_000)}`, 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: quotes', '"\n'.repeat(1_000_000), 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: directives', '%\n'.repeat(1_000_000), 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: aliases', '*a\n'.repeat(600_000), 'the text has more than 100 errors; it is read up to here'],
    ['mistakes: escapes', `${HEAD}x: "${'\\x'.repeat(1_000_000)}"`, 'the text has more than 100 errors; it is read up to here'],
  ])('is limited in the number of %s', (_what, text, message) => {
    const before = process.cpuUsage();
    const { problems } = parseConfig(text);
    const { user, system } = process.cpuUsage(before);
    expect(problems.at(-1)).toMatchObject({ severity: 'error', reason: 'Syntax', message });
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  it('is limited in bytes', async () => {
    let served = 0;
    async function* endless() {
      for (;;) {
        served += 65_536;
        yield Buffer.alloc(65_536, 0x61);
      }
    }
    expect(await readText(endless())).toEqual({ failure: 'the file is larger than 2 MiB' });
    expect(served).toBeLessThan(MAX_SOURCE_BYTES + 131_072);
    expect(reasons('a'.repeat(MAX_SOURCE_BYTES + 1))).toEqual(['Unreadable']);
  });

  it.each([
    ['the file is not UTF-8: see line 1', Buffer.from('kind: \u00e9', 'latin1')],
    ['the file is not UTF-8: see line 3', Buffer.from([0x61, 0x0a, 0xc3, 0xa9, 0x0a, 0xc3, 0x0a])],
    ['the file is UTF-16, not UTF-8', Buffer.from('\ufeffkind: a\n', 'utf16le')],
    ['the file is UTF-16, not UTF-8', Buffer.from('\ufeffkind: a\n', 'utf16le').swap16()],
  ])('must be UTF-8: %s', async (failure, bytes) => {
    expect(await readText(Readable.from([bytes]))).toEqual({ failure });
  });

  it.each([
    ['NUL', `${HEAD}Generic: {Address: a\0b}`, 21],
    ['an escape of terminals', `${HEAD}Generic: {Address: \x1b[31m}`, 20],
    ['half a character', `${HEAD}Generic: {Address: \ud83d}`, 20],
    ['a second byte order mark', `\ufeff${HEAD}Generic: {Address: \ufeff}`, 20],
    ['UTF-16 without a mark', `${HEAD}Generic: {Addr\0e\0s\0`, 15],
  ])('must not contain control characters: %s', (_what, text, column) => {
    expect(parseConfig(text).problems).toMatchObject([
      { reason: 'Syntax', line: 3, column, message: expect.stringMatching(/^there is U\+[0-9A-F]{4}, which is not allowed in YAML$/) },
    ]);
  });

  it.each([
    ['a tab as indentation', `${HEAD}Generic:\n\tAddress: a\n`, 4],
    ['a huge key', `${HEAD}${'k'.repeat(500_000)}: 1\n`, 3],
    ['a huge key in quotes', `${HEAD}"${'k'.repeat(500_000)}": 1\n`, 3],
    ['a huge tag', `${HEAD}a: !${'k'.repeat(500_000)} b\n`, 3],
  ])('is rejected at the line of %s', (_what, text, line) => {
    expect(parseConfig(text).problems).toMatchObject([{ reason: 'Syntax', line }]);
  });

  it('is reported with the valid types', () => {
    expect(parseConfig(`${HEAD}? {a: b}\n: c\n`).problems).toMatchObject([
      { reason: 'Syntax', line: 3, column: 3, message: 'a key must be a string, a number or a boolean' },
    ]);
  });

  it('may have huge values, which messages shorten', () => {
    const { problems } = parseConfig(`${HEAD}Generic: {Address: "${'k'.repeat(1_000_000)}", Port: ${'9'.repeat(100_000)}}\n`);
    expect(problems.length).toBeGreaterThan(1);
    expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(500);
  });

  it.each([
    ['numbers to another base', () => `${HEAD}x: 0x${'f'.repeat(2_000_000)}`],
    ['addresses of nothing but zeros', () => `${HEAD}Generic: {Address: ${'0'.repeat(1_000_000)}x}\n`],
    ['ranges of nothing but zeros', () => `${HEAD}ClusterCloudShared: {ClusterCIDR: ${'0'.repeat(1_000_000)}/8}\n`],
    ['unknown names in many documents', () => `${HEAD}${'qxy: 1\nqxz: 1\n'.repeat(50)}---\n`.repeat(100)],
    ['merge keys in many documents', () => `x: &m {${'"k":1,'.repeat(100)}}\ny: [${'{<<: *m},'.repeat(198)}]\n---\n`.repeat(100)],
  ])('takes no longer with huge %s', (_what, text) => {
    const before = process.cpuUsage();
    expect(parseConfig(text()).valid).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('may have CRLF line ends and a byte order mark', () => {
    const [problem, ...others] = parseConfig(`\ufeff${HEAD}Generic:\n  Adress: a # c\n`.replaceAll('\n', '\r\n')).problems;
    expect([problem, others]).toMatchObject([{ reason: 'UnknownField', line: 4, column: 3 }, []]);
  });

  it('causes a limited number of problems', () => {
    const { problems } = parseConfig(HEAD + Array.from({ length: 5_000 }, (_, index) => `k${index}: 1\n`).join(''));
    expect(problems).toHaveLength(1000);
    expect(problems.at(-1)).toMatchObject({ reason: 'TooManyProblems', message: 'and 4001 more problems' });
  });
});
