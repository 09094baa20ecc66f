import { describe, expect, it } from '@jest/globals';
import { differenceOfSteps, reportedSteps } from './steps.ts';

describe('Steps', () => {
  it('are read from the lines that report one, and from no others', () => {
    expect(reportedSteps('starting\nok discover\n  ok indented\nok two words\nok update-conflict\r\nnot ok x\nok last')).toEqual([
      'discover',
      'update-conflict',
      'last',
    ]);
  });

  it.each([
    [['a', 'b'], undefined],
    [[], 'did not report a'],
    [['a'], 'did not report b'],
    [['b', 'a'], 'reported b where a was to come'],
    [['a', 'a', 'b'], 'reported a where b was to come'],
    [['a', 'b', 'c'], 'reported c after its last step'],
  ])('%j of a, b', (reported, difference) => {
    expect(differenceOfSteps(['a', 'b'], reported)).toBe(difference);
  });
});
