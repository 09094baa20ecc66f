import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { toPrivateName, toPublicName, withNames } from './private-names.ts';

describe('A private name', () => {
  it.each(['__proto__', 'constructor', 'prototype', '\0__proto__', '\0\0prototype'])('of %j is another one', (name) => {
    expect(toPrivateName(name)).toBe(`\0${name}`);
  });

  it.each(['', 'a', 'proto', '__proto__ ', 'Constructor', '\0', '\0a', 'toString'])('of %j is the same', (name) => {
    expect(toPrivateName(name)).toBe(name);
    expect(toPublicName(name)).toBe(name);
  });

  it('is nothing that the library or JavaScript knows, leads back, and belongs to one name only', () => {
    const name = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom('', '\0', '\0\0'), fc.constantFrom('__proto__', 'constructor', 'prototype')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(toPublicName(toPrivateName(one))).toBe(one);
        expect(['__proto__', 'constructor', 'prototype']).not.toContain(toPrivateName(one));
        expect(toPrivateName(one) === toPrivateName(other)).toBe(one === other);
      }),
    );
  });

  it('replaces the members of an object, and none of them touches a prototype', () => {
    const { value } = parseJson(Buffer.from('{"__proto__":{"a":1},"\\u0000__proto__":2,"b":3}'));
    if (!isJsonObject(value)) throw new Error('not an object');
    const renamed = withNames(value, toPrivateName);
    expect(Object.keys(renamed)).toEqual(['\0__proto__', '\0\0__proto__', 'b']);
    const back = withNames(renamed, toPublicName);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(writeJson(back)).toBe(writeJson(value));
  });
});
