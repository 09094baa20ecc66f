/** The user and groups of a ServiceAccount. */
import { checkDnsLabel, checkDnsSubdomain } from '../../apimachinery/meta/names.ts';

const USER_PREFIX = 'system:serviceaccount:';
export const SERVICE_ACCOUNTS_GROUP = 'system:serviceaccounts';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export const serviceAccountUser = ({ namespace, name }: ServiceAccountName): string => `${USER_PREFIX}${namespace}:${name}`;

export const serviceAccountGroups = (namespace: string): readonly string[] => [
  SERVICE_ACCOUNTS_GROUP,
  `${SERVICE_ACCOUNTS_GROUP}:${namespace}`,
];

/** Undefined for any other user. */
export function parseServiceAccountUser(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(USER_PREFIX)) return undefined;
  const [namespace = '', name = '', ...others] = user.slice(USER_PREFIX.length).split(':');
  if (others.length > 0 || checkDnsLabel(namespace).length > 0 || checkDnsSubdomain(name).length > 0) return undefined;
  return { namespace, name };
}
