/**
 * Allows WebSockets for watches only, and for pages of this server's own origin or an allowed one. A browser lets any
 * page open a WebSocket to any server, sends the client certificate along and makes no preflight request: the Origin is
 * the only protection.
 */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { Filter, RoutedContext } from './context.ts';
import type { AllowedOrigins } from './origins.ts';
import { statusResponse } from './write-status.ts';

export interface WebSocketGuardOptions {
  readonly allowedOrigins: AllowedOrigins;
}

export const webSocketGuard =
  ({ allowedOrigins }: WebSocketGuardOptions): Filter<RoutedContext> =>
  (next) =>
  (context) => {
    const { info, request } = context;
    if (request.upgrade === undefined) return next(context);
    if (!info.isResource || info.verb !== 'watch') return Promise.resolve(refuse('only a watch can be a WebSocket'));
    const { origin, host } = request.headers;
    if (origin !== undefined && (isOwnOrigin(origin, host, request.secure) || allowedOrigins.has(origin))) return next(context);
    const whose = origin === undefined ? 'it has no Origin' : `its Origin ${JSON.stringify(origin)} is neither this server's nor allowed`;
    return Promise.resolve(refuse(`the WebSocket is refused: ${whose} (--cors-allowed-origins)`));
  };

const refuse = (why: string) => statusResponse(badRequest(why), { Connection: 'close' });

function isOwnOrigin(origin: string, host: string | undefined, secure: boolean): boolean {
  const own = `${secure ? 'https' : 'http'}://${host ?? ''}`;
  return URL.canParse(own) && URL.canParse(origin) && new URL(own).origin === new URL(origin).origin;
}
