import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { equalValues } from './equal-values.ts';

const raw = (text: string) => new RawJson(Buffer.from(text));
const equal = (a: JsonValue, b: JsonValue): boolean => {
  expect(equalValues(b, a)).toBe(equalValues(a, b));
  return equalValues(a, b);
};

describe('Two values', () => {
  it('are the same when both are raw and their bytes are', () => {
    expect([equal(raw('{"a":1}'), raw('{"a":1}')), equal(raw('1'), raw('1.0'))]).toEqual([true, false]);
  });

  it.each<[string, JsonValue, boolean]>([
    ['{"a":[1.0,-0,1e2]}', { a: [1, 0, 100] }, true],
    ['1.0', 1, true],
    ['9007199254740993', 9007199254740993n, true],
    ['{"a":null}', {}, false],
    ['[]', {}, false],
    ['1e400', 1, false],
    ['{"a":1e400}', { a: 1 }, false],
    ['{"a":1e400}', null, false],
  ])('the raw %s and what is not raw are compared by what they say', (text, value, same) => {
    expect(equal(raw(text), value)).toBe(same);
  });
});
