/** The id of a server process: a DNS subdomain, as apiServerID requires. */
import { checkDnsSubdomain } from '../../apimachinery/meta/names.ts';

const RANDOM_BYTES = 4;
/** Leaves room for the random part in the 253 characters of a subdomain. */
const MAX_HOST = 200;

/** The host name as a valid subdomain, with a random suffix. */
export function createServerId(hostName: string, random: (size: number) => Buffer): string {
  const host = hostName
    .slice(0, MAX_HOST)
    .toLowerCase()
    .split('.')
    .map((label) => label.replace(/[^a-z0-9]/g, '-').replace(/^-+/, ''))
    .map((label) => label.slice(0, lastAlphanumeric(label) + 1))
    .filter((label) => label !== '')
    .join('.');
  return `${host === '' ? 'server' : host}-${random(RANDOM_BYTES).toString('hex')}`;
}

export const isServerId = (text: string): boolean => checkDnsSubdomain(text).length === 0;

function lastAlphanumeric(label: string): number {
  let at = label.length - 1;
  while (label[at] === '-') at--;
  return at;
}
