/**
 * Spreads requests that arrive together over the ticks of the event loop: when thousands of clients come back at once, each tick takes as many as its
 * budget allows, and the rest wait. While there are few, none waits.
 */
import type { Filter } from './context.ts';

export const schedule: Filter = (next) => (context) => {
  const { scheduler } = context;
  return scheduler.isTickSpent(performance.now()) ? scheduler.yield().then(() => next(context)) : next(context);
};
