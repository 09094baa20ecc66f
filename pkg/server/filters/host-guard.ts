/** Refuses a Host header that is malformed or repeated, so that later steps can trust it. */
import type { Filter } from './context.ts';
import { textResponse } from '../responses/status-response.ts';

/** Host, IPv4 or bracketed IPv6 address, and port. Repeated headers are joined by a comma (RFC 9112 section 3.2). */
const VALID_HOST = /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?$/;

export const hostGuard: Filter = (next) => (context) => {
  const { headers, protocol } = context.request;
  const { host } = headers;
  if (host === undefined || VALID_HOST.test(host)) return next(context);
  // Over HTTP/2 others share the connection, and its framing is not in doubt.
  const close = protocol === 'h2' ? {} : { Connection: 'close' };
  return Promise.resolve(textResponse(400, 'the Host header is not valid, or there are several\n', close));
};
