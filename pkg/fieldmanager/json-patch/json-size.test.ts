import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { jsonSize } from './json-size.ts';

describe('jsonSize', () => {
  it('is the number of bytes that writeJson writes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value } = parseJson(Buffer.from(text));
        expect(jsonSize(value, Infinity)).toBe(Buffer.byteLength(writeJson(value)));
      }),
    );
  });

  it('counts raw values, large integers, escapes and absent members as written', () => {
    const value = { raw: new RawJson(Buffer.from('{"a":1.0}')), big: 9007199254740993n, 'é<"': ['\u2028', -0, [], {}], gone: undefined };
    expect(jsonSize(value, Infinity)).toBe(Buffer.byteLength(writeJson(value)));
  });

  it('stops soon after the limit', () => {
    let read = 0;
    const list = new Proxy(['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'], {
      get: (target, key, self): unknown => {
        if (typeof key === 'string' && /^\d/.test(key)) read++;
        return Reflect.get(target, key, self);
      },
    });
    expect(jsonSize(list, 5)).toBeGreaterThan(5);
    expect(read).toBeLessThan(4);
  });
});
