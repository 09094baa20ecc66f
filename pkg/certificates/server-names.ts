import { isIP } from 'node:net';

const DNS_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;
const MAX_DNS_NAME = 253;
const WILDCARD_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The names in a server's certificate: loopback, a valid host name, and the bind address unless it is a wildcard. */
export function serverNames({ hostName, bindAddress }: { readonly hostName: string; readonly bindAddress: string }): readonly string[] {
  const host = hostName.toLowerCase();
  return [
    ...new Set([
      'localhost',
      ...(DNS_NAME.test(host) && host.length <= MAX_DNS_NAME && isIP(host) === 0 ? [host] : []),
      '127.0.0.1',
      '::1',
      ...(WILDCARD_ADDRESSES.has(bindAddress) ? [] : [bindAddress]),
    ]),
  ];
}
