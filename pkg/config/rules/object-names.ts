/** Validates names of objects such as locks early, before the API server rejects them. */
import { checkDnsLabel, checkDnsSubdomain } from '../../apimachinery/meta/names.ts';
import type { NameCheck } from '../../apimachinery/meta/names.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { Finding } from './rule.ts';

/** Undefined if valid. `path` is that of the name. */
export const lockNameProblem = (path: string, name: string): Finding | undefined =>
  problemOf(path, name, checkDnsSubdomain, 'lower case letters, digits, - and .');

export const lockNamespaceProblem = (path: string, name: string): Finding | undefined =>
  problemOf(path, name, checkDnsLabel, 'up to 63 lower case letters, digits and -');

function problemOf(path: string, name: string, check: NameCheck, letters: string): Finding | undefined {
  if (name === '') return { path, reason: 'Missing', message: 'must be set: it names the lock' };
  if (check(name).length === 0) return undefined;
  return {
    path,
    reason: 'InvalidName',
    message: `must be a name of ${letters}, with a letter or digit at both ends, not ${quotedText(name)}`,
  };
}
