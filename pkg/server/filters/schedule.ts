/**
 * Lets requests that come in one moment share the scheduler of the event loop: when thousands of clients come back at once, each turn takes up as many as it
 * has time for, and the rest wait in line. While there are few, none waits.
 */
import type { Filter } from './context.ts';

export const schedule: Filter = (next) => (context) => {
  const { scheduler } = context;
  return scheduler.isTickSpent(performance.now()) ? scheduler.yield().then(() => next(context)) : next(context);
};
