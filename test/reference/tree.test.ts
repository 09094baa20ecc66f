import { describe, expect, it } from '@jest/globals';
import { token } from '../support/json-token.ts';
import { again, parseTree, replacedAt, toText, valueAt, type Tree } from './tree.ts';

describe('A tree', () => {
  it.each<[string, Tree, readonly (string | number)[], Tree | undefined, Tree]>([
    ['a member', { a: { b: 1 }, c: 2 }, ['a', 'b'], 3, { a: { b: 3 }, c: 2 }],
    ['a new member', { a: {} }, ['a', 'b'], 3, { a: { b: 3 } }],
    ['an element', { a: [1, 2] }, ['a', 1], 3, { a: [1, 3] }],
    ['nothing, where the path leads nowhere', { a: 1 }, ['b', 'c'], 3, { a: 1 }],
    ['a member by nothing', { a: 1, b: 2 }, ['a'], undefined, { b: 2 }],
    ['an element by nothing', [1, 2, 3], [1], undefined, [1, 3]],
  ])('replaces %s', (_, tree, path, value, expected) => {
    expect(replacedAt(tree, path, value)).toEqual(expected);
  });

  it('has members called __proto__ like others', () => {
    const changed = replacedAt(parseTree('{"a":{}}'), ['a', '__proto__'], { b: 1 });
    expect(toText(changed)).toBe('{"a":{"__proto__":{"b":1}}}');
    expect(valueAt(changed, ['a', '__proto__', 'b'])).toBe(1);
    expect(valueAt({}, ['__proto__'])).toBeUndefined();
  });

  it('is written with names that are there twice', () => {
    expect(toText({ a: 1, [again('a')]: 2 })).toBe('{"a":1,"a":2}');
  });

  it.each(['1.0', '1e2', '9223372036854775807', '-0', '{"a":[1,1.50]}'])('keeps the digits of %s', (text) => {
    expect(toText(parseTree(text))).toBe(text);
  });

  it('is written with numbers that JavaScript has not', () => {
    expect(toText({ a: token('1e400') })).toBe('{"a":1e400}');
  });
});
