/** CORS (Fetch standard): lets pages of allowed origins use the API. Requests are authenticated as usual. */
import type { Headers } from '../transports/request.ts';
import type { Filter } from './context.ts';
import type { AllowedOrigins } from './origins.ts';
import { addVary } from './vary.ts';

export interface CorsOptions {
  readonly allowedOrigins: AllowedOrigins;
}

/** The same values as Kubernetes. */
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
      const response = isAllowed && method === 'OPTIONS' ? { code: 204, headers: {}, body: [] } : await next(context);
      if (isAllowed) share(response.headers, origin);
      addVary(response.headers, 'Origin');
      return response;
    };
  };

function share(headers: Headers, origin: string): void {
  Object.assign(headers, SHARED, { 'Access-Control-Allow-Origin': origin });
}
