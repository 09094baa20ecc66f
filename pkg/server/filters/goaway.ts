/**
 * Asks the client of a random request over HTTP/2 to open a new connection (`--goaway-chance`), so that clients behind
 * a load balancer spread again after servers came back. What runs on the connection is served to its end.
 */
import type { Filter } from './context.ts';

export interface GoawayOptions {
  /** In [0, 1). Default: 0, never. */
  readonly goawayChance?: number;
  /** In [0, 1). */
  readonly random: () => number;
}

export const goaway =
  ({ goawayChance = 0, random }: GoawayOptions): Filter =>
  (next) => {
    if (goawayChance === 0) return next;
    return async (context) => {
      const response = await next(context);
      // The transport sends GOAWAY for it, as Go's server does.
      if (context.request.protocol === 'h2' && random() < goawayChance) response.headers['Connection'] = 'close';
      return response;
    };
  };
