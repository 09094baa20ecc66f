import { describe, expect, it } from '@jest/globals';
import { commonIndex, countIndexes } from './index-intervals.ts';

const COMPLETIONS = 10;

describe('A text of indexes', () => {
  it.each<[string, number | string]>([
    ['', 0],
    ['0', 1],
    ['9', 1],
    ['0,2-4,9', 5],
    ['0-9', 10],
    ['+1,002-04', 4],
    ['10', 'too large index: "10"'],
    ['2-10', 'too large index: "10"'],
    ['9223372036854775807', 'too large index: "9223372036854775807"'],
    ['9223372036854775808', 'cannot convert string to integer for index: "9223372036854775808"'],
    ['1,', 'cannot convert string to integer for index: ""'],
    ['-1', 'cannot convert string to integer for index: ""'],
    [' 1', 'cannot convert string to integer for index: " 1"'],
    ['1-b', 'cannot convert string to integer for index: "b"'],
    ['1-2-3', `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`],
    ['2-2', 'non-increasing order, previous: 2, current: 2'],
    ['3-1', 'non-increasing order, previous: 3, current: 1'],
    ['0-2,2', 'non-increasing order, previous: 2, current: 2'],
    ['5,4', 'non-increasing order, previous: 5, current: 4'],
  ])('%j lists %j', (text, expected) => expect(countIndexes(text, COMPLETIONS)).toBe(expected));

  it('is read in time that grows with its length alone, and is not repeated as a whole', () => {
    const [zeros, digits] = ['0'.repeat(1_000_000), '9'.repeat(1_000_000)];
    expect(countIndexes(zeros, COMPLETIONS)).toBe(1);
    expect(String(countIndexes(`${zeros}${digits}`, COMPLETIONS)).length).toBeLessThan(2000);
  });
});

describe('Two texts of indexes', () => {
  it.each<[string, string, number | undefined]>([
    ['', '0', undefined],
    ['0', '', undefined],
    ['0,2,4', '1,3,5', undefined],
    ['0-3', '4-9', undefined],
    ['0-4', '4-9', 4],
    ['1,3-5,7', '0,2,6-8', 7],
    ['2-6', '4', 4],
    ['x,1', '1', 1],
    ['1', '1-2-3,1', 1],
    ['x', '1', undefined],
  ])('%j and %j have %j in common', (left, right, expected) => expect(commonIndex(left, right, COMPLETIONS)).toBe(expected));
});
