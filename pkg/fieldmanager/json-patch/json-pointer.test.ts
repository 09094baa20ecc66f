import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { elementIndex, insertionIndex, parsePointer, formatPointer } from './json-pointer.ts';

describe('A JSON pointer', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a/b', ['a', 'b']],
    ['//a/', ['', 'a', '']],
    ['/a~1b/m~0n', ['a/b', 'm~n']],
    ['/~01', ['~1']],
    ['/~10', ['/0']],
    ['/a~b~', ['a~b~']],
    ['/__proto__', ['__proto__']],
  ])('%j has the reference tokens %j', (text, tokens) => {
    expect(parsePointer(text)).toEqual({ text, tokens });
  });

  it.each(['a', 'a/b', ' /a', '#/a', '~1a'])('does not start like %j', (text) => {
    expect(parsePointer(text)).toBeUndefined();
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(formatPointer(tokens))?.tokens).toEqual(tokens);
      }),
    );
  });
});

describe('A reference token into a list of three', () => {
  it.each([
    ['0', 0, 0],
    ['2', 2, 2],
    ['3', undefined, 3],
    ['4', undefined, undefined],
    ['-', undefined, 3],
    ['-1', 2, 3],
    ['-3', 0, 1],
    ['-4', undefined, 0],
    ['-5', undefined, undefined],
    ['-0', 0, 0],
    ['+1', 1, 1],
    ['007', undefined, undefined],
    ['01', 1, 1],
    ['', undefined, undefined],
    ['1.0', undefined, undefined],
    ['1e0', undefined, undefined],
    ['0x1', undefined, undefined],
    [' 1', undefined, undefined],
    ['1\n', undefined, undefined],
    ['length', undefined, undefined],
    ['99999999999999999999999999', undefined, undefined],
  ])('%j is element %p, and index %p for a new one', (step, element, place) => {
    expect([elementIndex(step, 3), insertionIndex(step, 3)]).toEqual([element, place]);
  });
});
