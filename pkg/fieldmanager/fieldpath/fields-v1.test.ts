import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { FieldSet } from './field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import { pathText } from './path-text.ts';
import { anyPaths, anySet } from '../../../test/fieldmanager/field-arbitraries.ts';

const raw = (text: string): RawJson => new RawJson(Buffer.from(text, 'utf8'));
const read = (text: string): FieldSet => {
  const fields = parseFieldsV1(raw(text));
  if (fields === undefined) throw new Error(`not readable: ${text}`);
  return fields;
};
const written = (fields: FieldSet): string => writeFieldsV1(fields).bytes.toString('utf8');
const paths = (text: string): readonly string[] => [...read(text).paths()].map(pathText);

/** As k8s.io/apimachinery 0.36.4 and structured-merge-diff 6.3.3 read and write them. */
const CANONICAL_FORMS: readonly (readonly [what: string, text: string, canonical: string])[] = [
  ['nothing', '{}', '{}'],
  ['null', 'null', '{}'],
  ['a dot alone', '{".":{}}', '{}'],
  ['a name in the wrong place', '{"f:b":{},"f:a":{}}', '{"f:a":{},"f:b":{}}'],
  ['a dot after the children', '{"f:a":{"f:b":{},".":{}}}', '{"f:a":{".":{},"f:b":{}}}'],
  ['a dot with a value', '{"f:a":{".":{"f:x":{}},"f:b":{".":[1]}}}', '{"f:a":{".":{},"f:b":{}}}'],
  ['null for a member', '{"f:a":null}', '{"f:a":{}}'],
  ['elements of an unknown type', '{"x:a":[1],"f:a":{"y:b":{"f:c":{}}}}', '{"f:a":{}}'],
  ['keys with spaces and unsorted', '{"k: {\\"b\\" : 1.0, \\"a\\":\\"x\\"}":{}}', '{"k:{\\"a\\":\\"x\\",\\"b\\":1}":{}}'],
  [
    'elements with equal canonical form',
    '{"v:1":{"f:a":{}},"v:1.0":{},"i:0":{},"i:00":{"f:a":{}}}',
    '{"v:1":{".":{},"f:a":{}},"i:0":{".":{},"f:a":{}}}',
  ],
  ['a repeated name: a member and its children', '{"f:a":{},"f:a":{"f:b":{}}}', '{"f:a":{".":{},"f:b":{}}}'],
  ['a repeated name: the last children count', '{"f:a":{"f:b":{}},"f:a":{"f:c":{}}}', '{"f:a":{"f:c":{}}}'],
  ['characters special in HTML', '{"f:<&>\u2028":{},"v:\\"<\\"":{}}', '{"f:\\u003c\\u0026\\u003e\\u2028":{},"v:\\"\\\\u003c\\"":{}}'],
  ['control characters', '{"f:\\b\\f\\n\\u007f":{}}', '{"f:\\u0008\\u000c\\n\u007f":{}}'],
  ['lone surrogates', '{"f:\\ud800":{}}', '{"f:\ufffd":{}}'],
  ['names of Object.prototype', '{"f:__proto__":{"f:constructor":{}}}', '{"f:__proto__":{"f:constructor":{}}}'],
  ['an empty name', '{"f:":{"f:":{}}}', '{"f:":{"f:":{}}}'],
];

describe('fieldsV1', () => {
  it.each(CANONICAL_FORMS)('with %s has a canonical form', (_, text, canonical) => {
    expect(written(read(text))).toBe(canonical);
  });

  it.each(CANONICAL_FORMS)('with %s round-trips to the same canonical bytes', (_, __, canonical) => {
    expect(written(read(canonical))).toBe(canonical);
  });

  it('marks which paths are members', () => {
    expect(paths('{"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:image":{}}},"f:suspend":{}},"f:status":{}}')).toEqual([
      '.status',
      '.spec.suspend',
      '.spec.containers[name="a"]',
      '.spec.containers[name="a"].image',
    ]);
  });

  it('is parsed from decoded values as from bytes', () => {
    fc.assert(
      fc.property(anySet, (fields) => {
        const value = decodeRaw(writeFieldsV1(fields));
        expect(isJsonObject(value) && parseFieldsV1(value)?.equals(fields)).toBe(true);
      }),
    );
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(anySet, (fields) => {
        expect([...read(written(fields)).paths()]).toEqual([...fields.paths()]);
      }),
    );
  });

  it('does not depend on the order of the paths', () => {
    fc.assert(
      fc.property(anyPaths, (all) => {
        expect(written(FieldSet.of(...all))).toBe(written(FieldSet.of(...all.toReversed())));
      }),
    );
  });

  it.each([
    ['a number', '1'],
    ['a list', '[]'],
    ['a text', '"f:a"'],
    ['true', '{"f:a":true}'],
    ['a number below', '{"f:a":{"f:b":1}}'],
    ['a list below', '{"f:a":[]}'],
    ['a name without a type', '{"a":{}}'],
    ['a number for a name', '{"12":{}}'],
    ['an empty name', '{"":{}}'],
    ['keys that are no object', '{"k:[1]":{}}'],
    ['a value that is none', '{"v:x":{}}'],
    ['a position that is none', '{"f:a":{"i:1.5":{}}}'],
    ['a name that is not readable behind a good one', '{"f:a":{},"f":{}}'],
  ])('with %s is rejected', (_, text) => {
    expect(parseFieldsV1(raw(text))).toBeUndefined();
  });

  it.each(['', '{', '{"f:a"', '{"f:a":', '{"f:a":{}', '{"f:a":{},', '{"f:a":{},}', '{"f:a":{} "f:b":{}}', '{f:a:{}}', '{"f:a":nul'])(
    'is rejected when the text is not JSON: %s',
    (text) => {
      expect(parseFieldsV1(raw(text))).toBeUndefined();
    },
  );

  it('is rejected when nested deeper than a request body may be', () => {
    const nested = (levels: number): string => `${'{"f:a":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    expect(parseFieldsV1(raw(nested(255)))?.size).toBe(1);
    expect(parseFieldsV1(raw(nested(256)))).toBeUndefined();
    expect(parseFieldsV1(raw(nested(200_000)))).toBeUndefined();
    expect(parseFieldsV1(raw(`{"x:a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`))).toBeUndefined();
  });

  it.each([
    ['fields', (at: number) => `"f:${at}":{}`],
    ['keys', (at: number) => `"k:{\\"name\\":\\"${at}\\"}":{}`],
    ['keys in disorder', (at: number) => `"k:{\\"b\\":${at}, \\"a\\":[]}":{}`],
    ['values', (at: number) => `"v:${at}.5":{"f:a":{}}`],
    ['the same name', () => '"f:a":{"f:b":{}}'],
  ])('holds 10,000 of %s', (_, member) => {
    const fields = read(`{${Array.from({ length: 10_000 }, (_unused, at) => member(at)).join(',')}}`);
    expect(read(written(fields)).equals(fields)).toBe(true);
  });
});
