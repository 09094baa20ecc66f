import { describe, expect, it } from '@jest/globals';
import { equalJson } from './equal-json.ts';
import type { JsonValue } from './json-value.ts';
import { RawJson } from './raw-json.ts';

const raw = (text: string) => new RawJson(Buffer.from(text));
const equal = (a: JsonValue, b: JsonValue): boolean => {
  expect(equalJson(b, a)).toBe(equalJson(a, b));
  return equalJson(a, b);
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
  ])('are compared by value if one is the raw %s', (text, value, same) => {
    expect(equal(raw(text), value)).toBe(same);
  });

  it('are the same whatever the order of members, and with members that are undefined', () => {
    expect(equal({ a: 1, b: undefined, c: [2] }, { c: [2], a: 1 })).toBe(true);
    expect(equal({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(equal({ ['__proto__']: 1 }, {})).toBe(false);
  });
});
