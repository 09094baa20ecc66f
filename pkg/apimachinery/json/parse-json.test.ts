import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatusError } from '../status/status-error.ts';
import { MAX_JSON_DEPTH } from './json-cursor.ts';
import type { FieldForm, JsonShape } from './json-shape.ts';
import type { JsonValue } from './json-value.ts';
import { decodeRaw, openRaw, parseJson } from './parse-json.ts';
import { compactText, RawJson } from './raw-json.ts';
import { isArray, isJsonObject, writeJson } from './write-json.ts';

const parse = (text: string, shape?: JsonShape): JsonValue => parseJson(Buffer.from(text), shape).value;

const refusal = (bytes: Buffer | string): string => {
  try {
    parseJson(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'BadRequest') return error.message;
    throw error;
  }
  return '';
};

const ANY: JsonShape = { form: 'any', zero: null };
const RAW: JsonShape = { form: 'raw', zero: null };
const INTEGER: JsonShape = { form: 'integer', zero: 0 };
const STRING: JsonShape = { form: 'any', zero: '' };
const BYTES: JsonShape = { form: 'bytes', zero: '' };
const structOf = (members: Readonly<Record<string, JsonShape>>): JsonShape => ({
  form: 'object',
  fields: new Map<string, FieldForm>(Object.entries(members).map(([name, shape], index) => [name, { name, index, shape }])),
  zero: {},
});

describe('parseJson', () => {
  it.each([
    ['', 'invalid JSON: the body is empty'],
    [' \n', 'invalid JSON: the body is empty'],
    ['{"a":1', 'invalid JSON at line 1, column 7 (offset 6): unexpected end of the text'],
    ['{"a":1}x', 'invalid JSON at line 1, column 8 (offset 7): invalid character "x" after the value'],
    ['{\n "é":01}', 'invalid JSON at line 2, column 7 (offset 9): invalid character "1" after a field'],
    ['[1,]', 'invalid JSON at line 1, column 4 (offset 3): invalid character "]" where a value is expected'],
    ["{'a':1}", `invalid JSON at line 1, column 2 (offset 1): invalid character "'" where a field name is expected`],
    ['"a\tb"', 'invalid JSON at line 1, column 3 (offset 2): invalid character "\\t" in a string'],
    ['"\\x"', 'invalid JSON at line 1, column 3 (offset 2): invalid character "x" in a string escape'],
    ['"\\u12g4"', 'invalid JSON at line 1, column 6 (offset 5): invalid character "g" in a \\u escape'],
    ['1e999', 'invalid JSON at line 1, column 1 (offset 0): the number is too large'],
    ['-', 'invalid JSON at line 1, column 2 (offset 1): unexpected end of the text'],
    ['\ufeff{}', 'invalid JSON at line 1, column 1 (offset 0): invalid character "\ufeff" where a value is expected'],
  ])('rejects %j with the position', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xc3, 0xa9, 0xff, 0x22]))).toBe('invalid JSON: not UTF-8 at offset 3');
    expect(refusal(Buffer.concat([Buffer.from('"é€😀'), Buffer.from([0xf0, 0x9f, 0x98])]))).toBe('invalid JSON: not UTF-8 at offset 10');
    // A surrogate in UTF-8.
    expect(refusal(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('invalid JSON: not UTF-8 at offset 1');
  });

  it('refuses a text that is nested too deep, whatever holds it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(refusal(nested(MAX_JSON_DEPTH))).toBe('');
    expect(refusal(nested(MAX_JSON_DEPTH + 1))).toContain('nested deeper than 256 levels');
    expect(refusal('{"a":'.repeat(100_000))).toContain('nested deeper than 256 levels');
    expect(() => parse(`{"raw":${nested(MAX_JSON_DEPTH)}}`, structOf({ raw: RAW }))).toThrow('nested deeper than 256 levels');
    expect(() => parse(`{"unknown":${nested(MAX_JSON_DEPTH)}}`, structOf({}))).toThrow('nested deeper than 256 levels');
  });

  it('keeps integers that a double does not reproduce', () => {
    expect(parse('[9007199254740991,9007199254740992,9007199254740993,-9223372036854775808,9223372036854775807]')).toEqual([
      9007199254740991,
      9007199254740992,
      9007199254740993n,
      -9223372036854775808n,
      9223372036854775807n,
    ]);
    // One that a double has but writes otherwise, and one that it writes but has not.
    const [has, writes] = ['379303814698299904', '379303814698299900'];
    expect(parse(`[${has},${writes}]`)).toEqual([379303814698299904n, Number(writes)]);
    expect(writeJson(parse(`[${has},${writes}]`))).toBe(`[${has},${writes}]`);
    expect(parse('1000000000000000000000000')).toBe(10n ** 24n);
    expect(refusal('9'.repeat(3_000_000))).toContain('the number is too large');
  });

  it('distinguishes an integer from a number with fraction or exponent', () => {
    const shape = structOf({ a: INTEGER, b: INTEGER, c: INTEGER, d: ANY, e: INTEGER });
    const { value, causes } = parseJson(Buffer.from('{"a":5,"b":5.0,"c":1e2,"d":1.5,"e":-0}'), shape);
    expect(value).toEqual({ a: 5, b: 5, c: 100, d: 1.5, e: 0 });
    expect(causes.map(({ field, message }) => [field, message])).toEqual([
      ['b', 'Invalid value: 5.0: must be an integer, written without fraction and exponent'],
      ['c', 'Invalid value: 1e2: must be an integer, written without fraction and exponent'],
    ]);
  });

  it('preserves the spelling of a number for tokens', () => {
    const text = '[0,-0,-1,1.0,1e2,1.5,-0.0,100,1E+2,1e21,1e+21,9007199254740993,0.10,1e-7,1e999]';
    const { value } = parseJson(Buffer.from(text), undefined, 'tokens');
    expect(writeJson(value)).toBe(text);
    const raw = isArray(value) ? value.flatMap((each) => (each instanceof RawJson ? [each.bytes.toString()] : [])) : [];
    expect(raw).toEqual(['-0', '1.0', '1e2', '-0.0', '1E+2', '1e21', '0.10', '1e999']);
    expect(openRaw(new RawJson(Buffer.from('{"a":1.0}')))).toEqual({ a: new RawJson(Buffer.from('1.0')) });
    expect(decodeRaw(new RawJson(Buffer.from('{"a":1.0}')))).toEqual({ a: 1 });
  });

  it('makes lone surrogates U+FFFD, but for raw values', () => {
    const shape = structOf({ a: STRING, raw: RAW });
    const value = parse('{"a":"x\\ud800y\\ude00\\ud83d\\ude00","raw":"\\ud800"}', shape);
    expect(value).toEqual({ a: 'x\ufffdy\ufffd😀', raw: new RawJson(Buffer.from('"\\ud800"')) });
  });

  it('keeps raw values token for token, without white space', () => {
    const text = '{ "b" : [ 1.0 , -0 , 1e2 , 9007199254740993 ] , "a" : " \\u003c\\" { " , "a":null , "é" : "\\ud800" }';
    const value = parse(`{"raw":${text} }`, structOf({ raw: RAW }));
    const expected = '{"b":[1.0,-0,1e2,9007199254740993],"a":" \\u003c\\" { ","a":null,"é":"\\ud800"}';
    expect(isJsonObject(value) && value['raw'] instanceof RawJson && value['raw'].bytes.toString()).toBe(expected);
    expect(compactText(text)).toBe(expected);
    expect(writeJson(value)).toBe(`{"raw":${expected}}`);
  });

  it('reads null as Go does', () => {
    const shape = structOf({
      a: STRING,
      list: { form: 'array', items: STRING, zero: null },
      structs: { form: 'array', items: structOf({ x: STRING }), zero: null },
      map: { form: 'map', values: STRING, zero: null },
      raw: RAW,
    });
    expect(parse('{"a":null,"list":["x",null],"structs":[null],"map":{"k":null},"raw":null}', shape)).toEqual({
      list: ['x', ''],
      structs: [{}],
      map: { k: '' },
    });
    expect(parse('{"a":"x","a":null}', shape)).toEqual({});
    expect(parse('null', shape)).toEqual({});
    expect(parse('{"a":null}')).toEqual({ a: null });
  });

  it('reports each finding once and at most a hundred', () => {
    const shape = structOf({ list: { form: 'array', items: structOf({}), zero: null } });
    const { findings } = parseJson(Buffer.from('{"x":1,"x":2,"list":[{"y":1},{"y":1,"y":2}]}'), shape);
    expect(findings).toEqual([
      { kind: 'unknown', path: 'x' },
      { kind: 'unknown', path: 'list[0].y' },
      { kind: 'unknown', path: 'list[1].y' },
    ]);
    const many = `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join(',')}}`;
    expect(parseJson(Buffer.from(many), shape).findings).toHaveLength(100);
  });

  it('takes names of prototypes as data', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1,"prototype":2,"a":{"__proto__":null}}';
    const value = parse(text);
    expect(writeJson(value)).toBe(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(isJsonObject(value) && Object.keys(value)).toEqual(['__proto__', 'constructor', 'prototype', 'a']);
    expect(parseJson(Buffer.from('{"__proto__":1,"__proto__":2}')).findings).toEqual([{ kind: 'duplicate', path: '__proto__' }]);
    expect(parse('{"__proto__":{"x":1}}', structOf({}))).toEqual({});
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

/** Any JSON value, with the names and texts that tend to go wrong. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '<&>\u2028\u2029', '\u0000\b\f', '😀', 'a longer text than thirteen'),
);
const { value: jsonValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }).filter((integer) => String(Number(integer)) !== String(integer)),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
}));

/** As JSON.parse would have it. */
const asDoubles = (value: JsonValue): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (isArray(value)) return value.map(asDoubles);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member ?? null)] as const));
  return value;
};
const wellFormed = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)] as const));
};

describe('JSON texts of any kind', () => {
  it('keep their value through write and parse', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const written = writeJson(value);
        expect(parse(written)).toEqual(value);
        expect(writeJson(parse(written))).toBe(written);
        expect(asDoubles(value)).toEqual(JSON.parse(written));
      }),
    );
  });

  it('are accepted exactly when JSON.parse accepts them, with the same value', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u',
      'd800',
      '0',
      '-',
      '.',
      'e',
      '+',
      'null',
      'true',
      ' ',
      '\n',
      '\t',
      '\u0001',
      'é',
      '1',
      '"a"',
    );
    const mutated = fc
      .tuple(jsonValue.map(writeJson), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), piece), { maxLength: 3 }))
      .map(([json, edits]) => edits.reduce((edited, [at, cut, put]) => splice(edited, at % (edited.length + 1), cut, put), json));
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          fc.array(piece).map((pieces) => pieces.join('')),
          fc.json(),
        ),
        (json) => {
          const bytes = Buffer.from(json);
          let expected: unknown;
          let isValid = true;
          try {
            expected = JSON.parse(bytes.toString());
          } catch {
            isValid = false;
          }
          const message = refusal(bytes);
          if (message.includes('too large')) return;
          expect({ json, isValid: message === '' }).toEqual({ json, isValid });
          if (isValid) expect(asDoubles(parse(json))).toEqual(wellFormed(expected));
          if (isValid) expect(JSON.parse(compactText(bytes.toString()))).toEqual(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of random bytes are refused by nothing but a StatusError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        refusal(Buffer.from(bytes));
      }),
    );
  });

  it('are the same value behind a raw one', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(decodeRaw(new RawJson(Buffer.from(compactText(writeJson(value)))))).toEqual(value);
      }),
    );
  });
});

const splice = (json: string, at: number, cut: number, put: string) => json.slice(0, at) + put + json.slice(at + cut);

describe('bytes', () => {
  it.each<[string, JsonValue]>([
    ['"YQ=="', 'YQ=='],
    ['"YR=\\n="', 'YQ=='],
    ['[]', ''],
    ['[0,97,255,null]', 'AGH/AA=='],
    ['null', ''],
    // No bytes, which the validator refuses.
    ['"!"', '!'],
    ['[256]', [256]],
    ['[-1]', [-1]],
    ['["a"]', ['a']],
    ['5', 5],
  ])('%s is %j', (text, value) => {
    expect(parse(text, BYTES)).toEqual(value);
    expect(parse(`{"a":${text}}`, { form: 'map', values: BYTES, zero: null })).toEqual({ a: value });
  });

  it('are no fractions', () => {
    expect(parseJson(Buffer.from('[1.0]'), BYTES).causes).toHaveLength(1);
  });
});
