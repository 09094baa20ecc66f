/** Refuses upgrades to protocols other than WebSocket; `websocket-guard.ts` checks those. */
import type { Filter } from './context.ts';
import { textResponse } from '../responses/status-response.ts';

export const upgradeGuard: Filter = (next) => (context) => {
  const { headers, upgrade } = context.request;
  const requested = headers['upgrade'];
  // A normal response declines the offer of h2c (RFC 9110 section 7.8), which Java's client makes with every request.
  if (upgrade !== undefined || requested === undefined || requested.toLowerCase() === 'h2c') return next(context);
  return Promise.resolve(textResponse(400, 'only watches can be upgraded, to WebSocket\n', { Connection: 'close' }));
};
