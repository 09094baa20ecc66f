import { isIP } from 'node:net';

const DNS_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;
const MAX_DNS_NAME = 253;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** What a server's certificate names: loopback, the host's name where it is one, and the address that is bound where it is a single one. */
export function serverNames({ hostName, bindAddress }: { readonly hostName: string; readonly bindAddress: string }): readonly string[] {
  const host = hostName.toLowerCase();
  return [
    ...new Set([
      'localhost',
      ...(DNS_NAME.test(host) && host.length <= MAX_DNS_NAME && isIP(host) === 0 ? [host] : []),
      '127.0.0.1',
      '::1',
      ...(EVERY_ADDRESS.has(bindAddress) ? [] : [bindAddress]),
    ]),
  ];
}
