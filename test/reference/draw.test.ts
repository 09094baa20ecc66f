import { describe, expect, it } from '@jest/globals';
import { Draw } from './draw.ts';

const sequence = (seed: string) => {
  const draw = new Draw(seed);
  return Array.from({ length: 20 }, () => draw.integer(1000));
};

describe('Random choices', () => {
  it('are the same for the same seed', () => {
    expect(sequence('a')).toEqual(sequence('a'));
    expect(sequence('a')).not.toEqual(sequence('b'));
  });

  it('follow their weights', () => {
    const draw = new Draw('weights');
    const chosen = Array.from({ length: 1000 }, () =>
      draw.weighted([
        [9, 'often'],
        [1, 'seldom'],
        [0, 'never'],
      ]),
    );
    const seldom = chosen.filter((word) => word === 'seldom').length;
    expect(chosen).not.toContain('never');
    expect(seldom).toBeGreaterThan(50);
    expect(seldom).toBeLessThan(200);
  });

  it('of nothing are refused', () => {
    expect(() => new Draw('x').pick([])).toThrow('nothing to choose from');
  });
});
