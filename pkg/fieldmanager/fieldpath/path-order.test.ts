import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PathElement, parsePathElement } from './path-element.ts';
import { comparePathElements, sortedElements } from './path-order.ts';
import { anyElement } from '../../../test/fieldmanager/field-arbitraries.ts';

const elements = (...texts: string[]): PathElement[] =>
  texts.flatMap((text) => {
    const element = parsePathElement(text);
    return element === undefined || element === 'unknown' ? [] : [element];
  });

describe('the order of path elements', () => {
  it('is fields, keys, values, indexes', () => {
    const ordered = elements('f:z', 'k:{"a":1}', 'v:0', 'i:-1');
    expect(sortedElements(ordered.toReversed())).toEqual(ordered);
  });

  it.each([
    ['names by their UTF-8 bytes', ['f:', 'f:A', 'f:a', 'f:a.b', 'f:ab', 'f:é', 'f:\uffff', 'f:😀']],
    ['keys by name, then by value', ['k:{}', 'k:{"a":2}', 'k:{"a":10}', 'k:{"a":10,"b":1}', 'k:{"a":"1"}', 'k:{"b":0}']],
    [
      'values by type, numbers by value',
      ['v:-1', 'v:2', 'v:10', 'v:1e+21', 'v:""', 'v:"10"', 'v:"9"', 'v:false', 'v:true', 'v:[]', 'v:{}', 'v:null'],
    ],
    ['lists element by element', ['v:[1]', 'v:[1,1]', 'v:[2]', 'v:[2,0]', 'v:["a"]']],
    ['objects by name, then by value', ['v:{}', 'v:{"a":1}', 'v:{"a":1,"b":1}', 'v:{"a":2}', 'v:{"b":0}']],
    ['positions by number', ['i:-10', 'i:-9', 'i:0', 'i:2', 'i:10', 'i:9223372036854775806', 'i:9223372036854775807']],
  ])('sorts %s', (_, texts) => {
    const ordered = elements(...texts);
    expect(ordered).toHaveLength(texts.length);
    expect(sortedElements(ordered.toReversed())).toEqual(ordered);
  });

  it('is total', () => {
    fc.assert(
      fc.property(anyElement, anyElement, anyElement, (a, b, c) => {
        expect(Math.sign(comparePathElements(a, b))).toBe(-Math.sign(comparePathElements(b, a)) + 0);
        expect(comparePathElements(a, b) === 0).toBe(a === b);
        if (comparePathElements(a, b) < 0 && comparePathElements(b, c) < 0) expect(comparePathElements(a, c)).toBeLessThan(0);
      }),
    );
  });
});
