/**
 * Refuses a Host that is none, and what no client of this API sends but a web page can make a browser send. The insecure port takes
 * whoever reaches it for an admin, so a page must not reach it: not through a name of its own that points to loopback (DNS rebinding),
 * not from its own origin, unless that is allowed.
 */
import type { Filter } from './context.ts';
import type { AllowedOrigins } from './origins.ts';
import { textResponse } from './write-status.ts';

export interface LoopbackGuardOptions {
  readonly allowedOrigins: AllowedOrigins;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;
/** A name, an address or one in brackets, and a port. Two Host headers arrive as one with a comma (RFC 9112 section 3.2). */
const VALID_HOST = /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?$/;
const LOOPBACK_ORIGIN = /^https?:\/\//i;

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);
export const isLoopbackOrigin = (origin: string): boolean =>
  LOOPBACK_ORIGIN.test(origin) && isLoopbackHost(origin.slice(origin.indexOf('//') + 2));

export const loopbackGuard =
  ({ allowedOrigins }: LoopbackGuardOptions): Filter =>
  (next) =>
  (context) => {
    const { headers, secure, upgrade } = context.request;
    const { host, origin } = headers;
    if (host !== undefined && !VALID_HOST.test(host))
      return Promise.resolve(refuse(400, 'the Host header is not valid, or there are several'));
    // HTTP/2 without TLS is an offer that is declined by answering as usual (RFC 9110 section 7.8). Java's client makes it with every request.
    if (upgrade === undefined && headers['upgrade'] !== undefined && headers['upgrade'].toLowerCase() !== 'h2c')
      return Promise.resolve(refuse(400, 'this server upgrades no connections but watches, to WebSocket'));
    const why = secure ? undefined : whyForeign(host, origin, allowedOrigins);
    if (why === undefined) return next(context);
    const code = upgrade === undefined ? 403 : 400;
    return Promise.resolve(refuse(code, `the insecure port answers only requests to and from loopback: ${why}`));
  };

function whyForeign(host: string | undefined, origin: string | undefined, allowedOrigins: AllowedOrigins): string | undefined {
  if (host === undefined || !isLoopbackHost(host)) return `its Host is ${JSON.stringify(host ?? '')}`;
  if (origin === undefined || isLoopbackOrigin(origin) || allowedOrigins.has(origin)) return undefined;
  return `it comes from the origin ${JSON.stringify(origin)} (--cors-allowed-origins)`;
}

const refuse = (code: 400 | 403, why: string) => textResponse(code, `${why}\n`, code === 400 ? { Connection: 'close' } : {});
