import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonShape } from '../json/json-shape.ts';
import { parseJson } from '../json/parse-json.ts';
import type { RawJson } from '../json/raw-json.ts';
import { checkPercent, parsePercent, scaledValue } from './int-or-percent.ts';

interface Vector {
  readonly name: string;
  readonly value?: number | string;
  readonly total?: number;
  readonly roundUp?: boolean;
  readonly expectedValidPercentString?: boolean;
  readonly expected?: number;
  /** As it is written in the file. */
  readonly inputJSON?: RawJson;
  readonly expectedJSON?: number | string;
  readonly expectError?: boolean;
}

const ANY: JsonShape = { form: 'any', zero: null };
const FIELDS = ['name', 'value', 'total', 'roundUp', 'expectedValidPercentString', 'expected', 'inputJSON', 'expectedJSON', 'expectError'];
const VECTOR: JsonShape = {
  form: 'object',
  zero: {},
  fields: new Map(
    FIELDS.map((name, index) => [name, { name, index, shape: name === 'inputJSON' ? { form: 'raw', zero: null } : ANY }] as const),
  ),
};
const file = readFileSync(new URL('../../../test/vectors/int-or-percent.json', import.meta.url));
const vectors = parseJson(file, { form: 'array', items: VECTOR, zero: null }).value as unknown as readonly Vector[];

describe('An integer or percentage', () => {
  for (const { name, value, total, roundUp, expected, expectedValidPercentString } of vectors) {
    if (value === undefined || total === undefined) continue;
    it(name, () => {
      const scaled = scaledValue(value, total, roundUp === true ? 'up' : 'down');
      expect(scaled).toBe(expected);
      if (typeof value === 'string') expect(checkPercent(value).length === 0).toBe(expectedValidPercentString);
    });
  }

  for (const { name, inputJSON, expectedJSON, expectError } of vectors) {
    if (inputJSON === undefined) continue;
    it(name, () => {
      const { value, causes } = parseJson(inputJSON.bytes, { form: 'integer', zero: 0 });
      expect(causes.length > 0).toBe(expectError === true);
      if (expectError !== true) expect(value).toBe(expectedJSON);
    });
  }

  it('has vectors of both sorts', () => {
    expect(vectors.filter(({ value }) => value !== undefined)).toHaveLength(20);
    expect(vectors.filter(({ inputJSON }) => inputJSON !== undefined)).toHaveLength(5);
  });

  it.each([
    ['0%', 0],
    ['007%', 7],
    ['101%', 101],
    [`${'9'.repeat(400)}%`, Infinity],
    ['5', undefined],
    ['', undefined],
    ['-1%', undefined],
    ['1%\n', undefined],
    ['١%', undefined],
  ])('%j is a percentage of %p', (text, percent) => {
    expect(parsePercent(text)).toBe(percent);
  });

  it('has no share that could not be counted', () => {
    expect(scaledValue(`${'9'.repeat(17)}%`, 10, 'up')).toBeUndefined();
  });

  it('is read in linear time', () => {
    const started = performance.now();
    for (const text of [`${'9'.repeat(1_000_000)}x`, `${'0'.repeat(1_000_000)}%`]) {
      checkPercent(text);
      scaledValue(text, 1, 'up');
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
