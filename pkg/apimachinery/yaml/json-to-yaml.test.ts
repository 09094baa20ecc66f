import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { JsonToYaml, jsonToYaml } from './json-to-yaml.ts';
import { yamlToJson } from './yaml-to-json.ts';

const toYaml = (value: unknown): string => jsonToYaml(Buffer.from(JSON.stringify(value)));
const VERSIONS = ['1.1', '1.2'] as const;

/** The output for text fed in pieces of these lengths, repeated cyclically. */
function inPieces(json: string, lengths: readonly number[]): string {
  const bytes = Buffer.from(json);
  const writer = new JsonToYaml();
  const pieces: Buffer[] = [];
  const drain = () => {
    for (let piece = writer.read(); piece !== undefined; piece = writer.read()) pieces.push(piece);
  };
  for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    writer.feed(bytes.subarray(at, end));
    drain();
    at = end;
  }
  writer.end();
  drain();
  return Buffer.concat(pieces).toString('utf8');
}

describe('YAML of an object', () => {
  it('is laid out as Kubernetes lays it out', () => {
    const json = `{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"a","labels":{},"annotations":{"text":"one\\n  two\\n","no":"end\\nhere","q":"it's: so"},
      "creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"schedule":"*/5 * * * *","list":[{"b":1.0,"a":["x",["y",[]]]},"true",null],"big":9007199254740993,"args":["--flag=1","-"]}}`;
    expect(jsonToYaml(Buffer.from(json.replaceAll(/\n\s+/g, '')))).toBe(`apiVersion: batch/v1
kind: CronJob
metadata:
  annotations:
    "no": |-
      end
      here
    q: 'it''s: so'
    text: |
      one
        two
  creationTimestamp: "2026-01-02T03:04:05Z"
  labels: {}
  name: a
spec:
  args:
  - --flag=1
  - '-'
  big: 9007199254740993
  list:
  - a:
    - x
    - - "y"
      - []
    b: 1.0
  - "true"
  - null
  schedule: '*/5 * * * *'
`);
  });

  it.each([
    ...['yes', 'No', 'ON', 'y', 'true', 'null', '~', '', '0x1', '1e3', '1_000', '0o7', '0b1', '1:30', '.5', '.inf', '-.INF', '.nan', '='],
    ...['<<', '2026-01-02', '2026-1-2', '2026-01-02 10:00:00', ' a', 'a ', 'a: b', 'a:', 'a #b', '#a', '- a', '-', '---', '...', '? a'],
    ...[
      '{a}',
      '[a',
      '&a',
      '*a',
      '!a',
      '|',
      '>',
      "'",
      '"',
      '%a',
      '@a',
      '`a',
      'a\tb',
      'a\nb',
      '\na',
      'a\n\n',
      '\n',
      ' a\nb',
      'a \nb',
      'a\r\nb',
    ],
    ...[
      'a\u0085b',
      '\u2028',
      '\ufeff',
      '\u0000',
      'é',
      '😀',
      'a,b',
      'a]',
      '.',
      '+',
      '+1',
      '-1',
      '1.',
      '12e03',
      '0x',
      'e0',
      'E-1',
      '-e5',
      '+E5',
      'é0',
      'e',
      '08',
      '190:20:30.15',
    ],
    ...['a\n\tb', 'a\n---\nb', 'a\n# b\n', 'a\n\n\n', '--- a', 'a\u00a0b', '\u00a0a', 'a\u3000'],
  ])('gives %j back as the same string, as value, key and element, in both versions', (text) => {
    const value = { a: text, [text]: 1, list: [text, [text]], end: { [text]: [{ [text]: text }] } };
    for (const version of VERSIONS) expect(parse(toYaml(value), { version })).toEqual(value);
    expect(JSON.parse(yamlToJson(toYaml(value)))).toEqual(value);
    expect(parse(toYaml(text))).toBe(text);
  });

  it.each(['1.0', '-0', '1E+2', '9007199254740993', '12345678901234567890123', '1e-7', '0.10'])('keeps the number %s', (token) => {
    expect(jsonToYaml(Buffer.from(`{"a":${token}}`))).toBe(`a: ${token}\n`);
    expect(yamlToJson(`a: ${token}\n`)).toBe(`{"a":${token}}`);
  });

  it('writes very long keys so that readers find their end', () => {
    const value = { ['k'.repeat(2000)]: { a: 1 }, ['l'.repeat(2000)]: ['b'] };
    for (const version of VERSIONS) expect(parse(toYaml(value), { version })).toEqual(value);
  });

  it('reads back as the same value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }).map((binary) => binary.toWellFormed()),
      fc.string({ unit: fc.constantFrom(...' \n\t:#-0.xeE_+~|>&*!%@`"\'{}[],?aTZ'), maxLength: 12 }),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
        fc.integer(),
        fc.constantFrom(null, true, false),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(
          text.filter((name) => name !== '__proto__'),
          tie('value'),
          { maxKeys: 4, noNullPrototype: true },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(value, (any) => {
        const yaml = toYaml(any);
        for (const version of VERSIONS) expect(parse(yaml, { version, merge: false })).toEqual(any);
        expect(JSON.parse(yamlToJson(yaml))).toEqual(any);
      }),
      { numRuns: 400 },
    );
  });
});

describe('YAML of a list', () => {
  const list = (items: readonly unknown[]) => ({ kind: 'XList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items });

  it('has its elements in order and its keys sorted', () => {
    expect(toYaml(list([{ b: 1, a: { c: [] } }, { d: 'e' }]))).toBe(`apiVersion: v1
items:
- a:
    c: []
  b: 1
- d: e
kind: XList
metadata:
  resourceVersion: "7"
`);
    expect(toYaml(list([]))).toBe('apiVersion: v1\nitems: []\nkind: XList\nmetadata:\n  resourceVersion: "7"\n');
  });

  it('may be a Table', () => {
    const table = { kind: 'Table', columnDefinitions: [{ name: 'Name' }], rows: [{ cells: ['a', 1, null] }, { cells: [] }], z: 1, a: 2 };
    expect(parse(toYaml(table))).toEqual(table);
    expect(toYaml({ ...table, a: undefined })).toMatch(/^columnDefinitions:\n- name: Name\nkind: Table\nrows:\n- cells:\n {2}- a\n/);
  });

  it('is the same however the text is cut', () => {
    const value = list([{ a: 'x,]}"\\[{', items: [1, [2]] }, { rows: [{}] }, [], 'text', 5]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }), (lengths) => {
        expect(parse(inPieces(`${JSON.stringify(value)}\n`, lengths))).toEqual(value);
      }),
      { numRuns: 50 },
    );
  });

  it('is written in pieces of bounded size', () => {
    const writer = new JsonToYaml();
    writer.feed(
      Buffer.from(JSON.stringify(list([{ deep: JSON.parse(`${'['.repeat(200)}${'[],'.repeat(10_000)}[]${']'.repeat(200)}`) as unknown }]))),
    );
    let pieces = 0;
    for (let piece = writer.read(); piece !== undefined; piece = writer.read(), pieces++) expect(piece.byteLength).toBeLessThan(80 * 1024);
    expect(pieces).toBeGreaterThan(20);
  });
});
