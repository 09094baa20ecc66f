import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { escapeReservedName, unescapeReservedName, renameMembers } from './reserved-names.ts';

describe('A reserved name', () => {
  it.each(['__proto__', 'constructor', 'prototype', '\0__proto__', '\0\0prototype'])('of %j is another one', (name) => {
    expect(escapeReservedName(name)).toBe(`\0${name}`);
  });

  it.each(['', 'a', 'proto', '__proto__ ', 'Constructor', '\0', '\0a', 'toString'])('of %j is the same', (name) => {
    expect(escapeReservedName(name)).toBe(name);
    expect(unescapeReservedName(name)).toBe(name);
  });

  it('is escaped to a harmless name, unambiguously and reversibly', () => {
    const name = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom('', '\0', '\0\0'), fc.constantFrom('__proto__', 'constructor', 'prototype')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(unescapeReservedName(escapeReservedName(one))).toBe(one);
        expect(['__proto__', 'constructor', 'prototype']).not.toContain(escapeReservedName(one));
        expect(escapeReservedName(one) === escapeReservedName(other)).toBe(one === other);
      }),
    );
  });

  it('never touches a prototype when members are renamed', () => {
    const { value } = parseJson(Buffer.from('{"__proto__":{"a":1},"\\u0000__proto__":2,"b":3}'));
    if (!isJsonObject(value)) throw new Error('not an object');
    const renamed = renameMembers(value, escapeReservedName);
    expect(Object.keys(renamed)).toEqual(['\0__proto__', '\0\0__proto__', 'b']);
    const back = renameMembers(renamed, unescapeReservedName);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(writeJson(back)).toBe(writeJson(value));
  });
});
