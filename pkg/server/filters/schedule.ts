/**
 * Spreads requests that arrive together over several ticks of the event loop: when thousands of clients reconnect at
 * once, each tick starts as many as its budget allows. A few requests never wait.
 */
import type { Filter } from './context.ts';

export const schedule: Filter = (next) => (context) => {
  const { scheduler } = context;
  return scheduler.isTickSpent(performance.now()) ? scheduler.yield().then(() => next(context)) : next(context);
};
