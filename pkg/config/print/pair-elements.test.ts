import { describe, expect, it } from '@jest/globals';
import { pairElements } from './pair-elements.ts';

/** `-` removed, `+` added. */
const shown = (before: string, after: string) =>
  pairElements([...before], [...after])
    .map(({ before: was, after: is }) => {
      if (was === undefined) return `+${after.charAt(is ?? -1)}`;
      return is === undefined ? `-${before.charAt(was)}` : after.charAt(is);
    })
    .join('');

describe('pairElements', () => {
  it.each([
    ['', '', ''],
    ['abc', 'abc', 'abc'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abc', 'ac', 'a-bc'],
    ['ac', 'abc', 'a+bc'],
    ['abc', 'xbc', '-a+xbc'],
    ['abcd', 'bcda', '-abcd+a'],
    ['aa', 'a', 'a-a'],
    ['xaybz', 'ab', '-xa-yb-z'],
  ])('%s and %s: %s', (before, after, expected) => {
    expect(shown(before, after)).toBe(expected);
    const pairs = pairElements([...before], [...after]);
    expect(pairs.flatMap(({ before: was }) => was ?? [])).toEqual([...before].map((_, index) => index));
    expect(pairs.flatMap(({ after: is }) => is ?? [])).toEqual([...after].map((_, index) => index));
  });

  it('treats overlong lists as replaced', () => {
    const [before, after] = [Array.from({ length: 3000 }, (_, i) => `a${i}`), Array.from({ length: 3000 }, (_, i) => `b${i}`)];
    expect(pairElements(['x', ...before], ['x', ...after])).toHaveLength(6001);
  });
});
