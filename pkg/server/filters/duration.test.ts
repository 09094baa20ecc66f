import { describe, expect, it } from '@jest/globals';
import { parseDurationMs } from './duration.ts';

describe('parseDurationMs', () => {
  it.each([
    ['0', 0],
    ['32s', 32_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    ['-1s', -1000],
    ['+1s', 1000],
    ['.5s', 500],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(['', '-', '5', 's', '1x', '1s ', '1s2', 'soon', '1s'.repeat(40)])('%s is none', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });
});
