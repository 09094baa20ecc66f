/**
 * Refuses what no client of this API sends but a web page can make a browser send. The insecure port takes whoever reaches it for an
 * admin, so a page must not reach it: not through a name of its own that points to loopback (DNS rebinding), not from its own origin.
 */
import type { Filter } from './context.ts';
import { textResponse } from './write-status.ts';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\//i;

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);
export const isLoopbackOrigin = (origin: string): boolean =>
  LOOPBACK_ORIGIN.test(origin) && isLoopbackHost(origin.slice(origin.indexOf('//') + 2));

export const loopbackGuard: Filter = (next) => (context) => {
  const { headers, secure } = context.request;
  if (headers['upgrade'] !== undefined)
    return Promise.resolve(textResponse(400, 'this server does not upgrade connections\n', { Connection: 'close' }));
  if (!secure) {
    const { host, origin } = headers;
    if (host === undefined || !isLoopbackHost(host)) return Promise.resolve(refuse(`its Host is ${JSON.stringify(host ?? '')}`));
    if (origin !== undefined && !isLoopbackOrigin(origin))
      return Promise.resolve(refuse(`it comes from the origin ${JSON.stringify(origin)}`));
  }
  return next(context);
};

const refuse = (why: string) => textResponse(403, `the insecure port answers only requests to and from loopback: ${why}\n`);
