import { expect, it } from '@jest/globals';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { Pace } from './pace.ts';

const never = new AbortController().signal;
const flushImmediates = async () => {
  for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve));
};

it('A pace is kept over many short intervals, and pauses are not made up for.', async () => {
  const clock = new ManualClock(1000);
  const pace = new Pace(clock, 4000);
  let done = 0;
  const work = async (count: number) => {
    for (let index = 0; index < count; index++) {
      await pace.rest(never);
      done++;
    }
  };
  const working = work(20);
  for (const [ms, expected] of [
    [0, 3],
    [1, 7],
    [1, 11],
  ] as const) {
    clock.advance(ms);
    await flushImmediates();
    expect(done).toBe(expected);
  }
  clock.advance(1000);
  await flushImmediates();
  expect(done).toBeLessThan(16);
  for (let ms = 0; ms < 5; ms++) {
    clock.advance(1);
    await flushImmediates();
  }
  await working;
  expect(done).toBe(20);
});

it('A pace ends with its signal.', async () => {
  const clock = new ManualClock(1000);
  const pace = new Pace(clock, 1);
  const stop = new AbortController();
  const resting = pace.rest(stop.signal);
  stop.abort();
  await resting;
  expect(clock.sleepers).toBe(0);
});
