import { afterEach, describe, expect, it } from '@jest/globals';
import { measureEventLoop } from './event-loop.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('LoopTicks of the event loop', () => {
  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  const measure = () => {
    const thread = { microseconds: 0 };
    const observed: number[] = [];
    stop = measureEventLoop({
      ticks: { observe: (seconds) => observed.push(seconds) },
      threadCpuMicroseconds: () => thread.microseconds,
    });
    return { thread, observed };
  };

  it('are measured by what their thread worked', async () => {
    const { thread, observed } = measure();
    thread.microseconds = 30_000;
    await nextTurn();
    thread.microseconds = 31_000;
    await nextTurn();
    expect(observed.slice(0, 2)).toEqual([0.03, 0.001]);
  });

  it('are measured no longer once that was ended', async () => {
    const { observed } = measure();
    await nextTurn();
    stop?.();
    const before = observed.length;
    await nextTurn();
    await nextTurn();
    expect(observed.length).toBe(before);
  });

  it('do not keep the loop awake', async () => {
    const { observed } = measure();
    await new Promise((resolve) => setTimeout(resolve, 50));
    // A loop that never slept makes some 10,000 ticks in this time.
    expect(observed.length).toBeLessThan(500);
  });
});
