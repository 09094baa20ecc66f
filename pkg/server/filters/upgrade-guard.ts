/** Refuses to upgrade a connection to another protocol than WebSocket; of those, `websocket-guard.ts` decides. */
import type { Filter } from './context.ts';
import { textResponse } from './write-status.ts';

export const upgradeGuard: Filter = (next) => (context) => {
  const { headers, upgrade } = context.request;
  const asked = headers['upgrade'];
  // HTTP/2 without TLS is an offer that a usual response declines (RFC 9110 section 7.8). Java's client makes it with
  // every request.
  if (upgrade !== undefined || asked === undefined || asked.toLowerCase() === 'h2c') return next(context);
  return Promise.resolve(textResponse(400, 'this server upgrades no connections but watches, to WebSocket\n', { Connection: 'close' }));
};
