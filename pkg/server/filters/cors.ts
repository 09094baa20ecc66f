/**
 * Cross-origin resource sharing (the CORS protocol of the Fetch standard): tells browsers that pages of certain origins may use the API. Whom the
 * request may be made as is decided behind this step, as for every other.
 */
import type { Headers } from '../transports/request.ts';
import type { Filter } from './context.ts';
import type { AllowedOrigins } from './origins.ts';

export interface CorsOptions {
  readonly allowedOrigins: AllowedOrigins;
}

/** What Kubernetes' own server tells. */
const SHARED: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

export const cors =
  ({ allowedOrigins }: CorsOptions): Filter =>
  (next) => {
    if (allowedOrigins.isEmpty) return next;
    return async (context) => {
      const { headers, method } = context.request;
      const { origin } = headers;
      const isAllowed = origin !== undefined && allowedOrigins.has(origin);
      const answer = isAllowed && method === 'OPTIONS' ? { code: 204, headers: {}, body: [] } : await next(context);
      if (isAllowed) share(answer.headers, origin);
      varyByOrigin(answer.headers);
      return answer;
    };
  };

function share(headers: Headers, origin: string): void {
  Object.assign(headers, SHARED, { 'Access-Control-Allow-Origin': origin });
}

/** What a cache keeps for one page is not for another. */
function varyByOrigin(headers: Headers): void {
  const { Vary: others } = headers;
  headers['Vary'] = others === undefined ? 'Origin' : `${String(others)}, Origin`;
}
