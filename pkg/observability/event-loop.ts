/**
 * Measures how long the event loop is blocked: the CPU time of its thread per tick, including callbacks, microtasks and
 * garbage collection. Waiting requests are delayed by at least that time.
 *
 * A tick ends in the phase for immediates; an unreferenced immediate does not prevent the loop from sleeping. Costs
 * 2 µs per tick.
 */
import type { Histogram } from './instruments.ts';

export interface EventLoopOptions {
  /** Called after each tick with its CPU time. */
  readonly ticks: Histogram;
  /** CPU time of the calling thread since its start. */
  readonly threadCpuMicroseconds: () => number;
}

/** Starts immediately; returns a function that stops it. */
export function measureEventLoop({ ticks, threadCpuMicroseconds }: EventLoopOptions): () => void {
  let before = threadCpuMicroseconds();
  let next: NodeJS.Immediate;
  const endOfTick = (): void => {
    const now = threadCpuMicroseconds();
    ticks.observe((now - before) / 1e6);
    before = now;
    next = setImmediate(endOfTick).unref();
  };
  next = setImmediate(endOfTick).unref();
  return () => clearImmediate(next);
}
