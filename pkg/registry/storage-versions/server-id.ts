/** The name of one server process among those over the same store: a DNS subdomain, as apiServerID must be. */
import { checkDnsSubdomain } from '../../apimachinery/meta/names.ts';

const RANDOM_BYTES = 4;
/** With a dash and the random part it stays under the 253 of a subdomain. */
const MAX_HOST = 200;

/** The host name, as far as a subdomain can hold it, and a random part. */
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
