/**
 * Protects the insecure port, whose clients are all admins, from web pages in a browser on this machine: neither a DNS
 * name that resolves to loopback (DNS rebinding) nor a foreign origin is accepted, unless allowed.
 */
import type { Filter } from './context.ts';
import type { AllowedOrigins } from './origins.ts';
import { textResponse } from '../responses/status-response.ts';

export interface LoopbackGuardOptions {
  readonly allowedOrigins: AllowedOrigins;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;
const HTTP_ORIGIN = /^https?:\/\//i;

const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);
const isLoopbackOrigin = (origin: string): boolean => HTTP_ORIGIN.test(origin) && isLoopbackHost(origin.slice(origin.indexOf('//') + 2));

export const loopbackGuard =
  ({ allowedOrigins }: LoopbackGuardOptions): Filter =>
  (next) =>
  (context) => {
    const { headers, secure, upgrade } = context.request;
    const why = secure ? undefined : refusalReason(headers['host'], headers['origin'], allowedOrigins);
    if (why === undefined) return next(context);
    const text = `the insecure port answers only requests to and from loopback: ${why}\n`;
    return Promise.resolve(upgrade === undefined ? textResponse(403, text) : textResponse(400, text, { Connection: 'close' }));
  };

function refusalReason(host: string | undefined, origin: string | undefined, allowedOrigins: AllowedOrigins): string | undefined {
  if (host === undefined || !isLoopbackHost(host)) return `its Host is ${JSON.stringify(host ?? '')}`;
  if (origin === undefined || isLoopbackOrigin(origin) || allowedOrigins.has(origin)) return undefined;
  return `it comes from the origin ${JSON.stringify(origin)} (--cors-allowed-origins)`;
}
