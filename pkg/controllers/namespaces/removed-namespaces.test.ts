import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { RemovedNamespaces } from './removed-namespaces.ts';

describe('removed namespaces', () => {
  it('are known for ten minutes, and forgotten when others are removed', () => {
    const clock = new ManualClock(0);
    const removed = new RemovedNamespaces(clock);
    removed.add('first');
    clock.advance(300_000);
    removed.add('second');
    clock.advance(300_000);
    expect([removed.has('first'), removed.has('second'), removed.has('never')]).toEqual([true, true, false]);
    clock.advance(1);
    expect(removed.has('first')).toBe(false);
    removed.add('third');
    expect(removed.size).toBe(2);
  });

  it('count from the last time', () => {
    const clock = new ManualClock(0);
    const removed = new RemovedNamespaces(clock);
    removed.add('again');
    removed.add('other');
    clock.advance(600_000);
    removed.add('again');
    clock.advance(1);
    removed.add('new');
    expect([removed.has('again'), removed.size]).toEqual([true, 2]);
  });
});
