/**
 * Allows WebSockets for watches only, and only from this server's own or an allowed origin. A browser lets any page
 * open a WebSocket to any server, with the client certificate and without a preflight request, so the Origin header is
 * the only protection.
 */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { Filter, RoutedContext } from './context.ts';
import type { AllowedOrigins } from './origins.ts';
import { statusResponse } from '../responses/status-response.ts';

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
    const reason = origin === undefined ? 'it has no Origin' : `its Origin ${JSON.stringify(origin)} is neither this server's nor allowed`;
    return Promise.resolve(refuse(`the WebSocket is refused: ${reason} (--cors-allowed-origins)`));
  };

const refuse = (why: string) => statusResponse(badRequest(why), { Connection: 'close' });

function isOwnOrigin(origin: string, host: string | undefined, secure: boolean): boolean {
  const own = `${secure ? 'https' : 'http'}://${host ?? ''}`;
  return URL.canParse(own) && URL.canParse(origin) && new URL(own).origin === new URL(origin).origin;
}
