/** The rules of a pod's name resolution. */
import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { requiredChoiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { HostAlias, PodDNSConfig, PodSpec } from '../types.gen.ts';
import { ipAddressCauses } from './ip-address.ts';

const POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
/** Limits of libc. */
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_BYTES = 2048;
const MAX_SUBDOMAIN = 253;
// Matching is linear: between two dots, adjacent parts only share the characters of one run.
const SEARCH = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:\._?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)*$/;
const SEARCH_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character" +
  " (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

export function validateDns({ dnsPolicy = '', dnsConfig }: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const ofPolicy = requiredChoiceCauses(dnsPolicy, path, 'dnsPolicy', POLICIES);
  if (dnsConfig === undefined && dnsPolicy !== 'None') return ofPolicy;
  return [...ofPolicy, ...configCauses(dnsConfig, dnsPolicy, path.child('dnsConfig'))];
}

function configCauses(config: Unchecked<PodDNSConfig> | undefined, policy: string, path: FieldPath): readonly StatusCause[] {
  if (config === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const { nameservers = [], searches = [], options } = config;
  if (policy === 'None' && nameservers.length === 0) {
    return [required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  return [
    ...nameserverCauses(nameservers, path.child('nameservers')),
    ...searchCauses(searches, path.child('searches')),
    ...causesOfElements(path.child('options'), options, ({ name = '' }, at) =>
      name === '' ? [required(at, 'must not be empty')] : NO_CAUSES,
    ),
  ];
}

const nameserverCauses = (nameservers: readonly string[], path: FieldPath): readonly StatusCause[] => [
  ...(nameservers.length > MAX_NAMESERVERS
    ? [invalidValue(path, nameservers.length, `must not have more than ${MAX_NAMESERVERS} nameservers`)]
    : NO_CAUSES),
  ...causesOfElements(path, nameservers, ipAddressCauses),
];

function searchCauses(searches: readonly string[], path: FieldPath): readonly StatusCause[] {
  // The limit includes the spaces between domains.
  const bytes = searches.reduce((sum, search) => sum + Buffer.byteLength(search) + 1, -1);
  return [
    ...(searches.length > MAX_SEARCHES
      ? [invalidValue(path, searches.length, `must not have more than ${MAX_SEARCHES} search paths`)]
      : NO_CAUSES),
    ...(bytes > MAX_SEARCH_BYTES
      ? [invalidValue(path, bytes, `must not have more than ${MAX_SEARCH_BYTES} characters (including spaces) in the search list`)]
      : NO_CAUSES),
    ...causesOfElements(path, searches, (search, at) =>
      search === '.' ? NO_CAUSES : nameCauses(search.endsWith('.') ? search.slice(0, -1) : search, at, checkSearch),
    ),
  ];
}

/** A DNS subdomain whose labels may contain underscores, as in SRV records. */
function checkSearch(search: string): readonly string[] {
  const length = Buffer.byteLength(search) > MAX_SUBDOMAIN ? [`must be no more than ${MAX_SUBDOMAIN} characters`] : [];
  return SEARCH.test(search) ? length : [...length, SEARCH_RULE];
}

/** Lines in the pod's /etc/hosts. */
export const validateHostAliases = (aliases: readonly Unchecked<HostAlias>[] | undefined, path: FieldPath): readonly StatusCause[] =>
  aliases === undefined
    ? NO_CAUSES
    : causesOfElements(path.child('hostAliases'), aliases, ({ ip = '', hostnames }, at) => [
        ...ipAddressCauses(ip, at.child('ip')),
        ...causesOfElements(at.child('hostnames'), hostnames, (hostname, of) => nameCauses(hostname, of, checkDnsSubdomain)),
      ]);
