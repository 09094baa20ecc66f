/**
 * Lets requests that come in one moment share the turns of the event loop: when thousands of clients come back at once, each turn takes up as many as it
 * has time for, and the rest wait in line. While there are few, none waits.
 */
import type { Filter } from './context.ts';

export const turn: Filter = (next) => (context) => {
  const { turns } = context;
  return turns.isOver(performance.now()) ? turns.next().then(() => next(context)) : next(context);
};
