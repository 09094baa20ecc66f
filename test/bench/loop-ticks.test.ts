import { describe, expect, it } from '@jest/globals';
import { ticksBetween } from './loop-ticks.ts';

/** LoopTicks up to 10 ms, up to 20 ms, up to 1 s, and in all. */
const reading = (...upTo: readonly number[]): string =>
  ['0.01', '0.02', '1', '+Inf']
    .map((bound, index) => `coxswain_event_loop_tick_cpu_seconds_bucket{le="${bound}"} ${upTo[index] ?? 0}\n`)
    .join('') + 'coxswain_event_loop_tick_cpu_seconds_count 7\n';

describe('the longest tick between two readings', () => {
  it('counts only what came between them', () => {
    expect(ticksBetween(reading(100, 105, 106, 107), reading(300, 306, 307, 308))).toEqual({ count: 201, longestMs: 20 });
  });

  it('is above the last bound when one tick was', () => {
    expect(ticksBetween(reading(0, 0, 0, 0), reading(5, 5, 5, 6))).toEqual({ count: 6, longestMs: 1001 });
  });

  it('is unknown without ticks, or where the server does not tell', () => {
    expect(ticksBetween(reading(5, 5, 5, 5), reading(5, 5, 5, 5))).toBeUndefined();
    expect(ticksBetween('', 'up 1\n')).toBeUndefined();
  });
});
