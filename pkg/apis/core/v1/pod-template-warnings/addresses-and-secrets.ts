import { isIPv6 } from 'node:net';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { HostAlias, LocalObjectReference, PodSpec } from '../types.gen.ts';
import { warning } from './warning.ts';

/** Addresses that come again. */
export function* warnOfHostAliases(aliases: readonly Unchecked<HostAlias>[] = [], path: FieldPath): Generator<string> {
  const seen = new Set<string>();
  for (const [index, { ip = '' }] of aliases.entries()) {
    if (seen.has(ip)) yield warning(path.index(index).child('ip'), `duplicate ip ${JSON.stringify(ip)}`);
    seen.add(ip);
  }
}

/** Names that come again, and empty ones. */
export function* warnOfPullSecrets(secrets: readonly Unchecked<LocalObjectReference>[] = [], path: FieldPath): Generator<string> {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of secrets.entries()) {
    if (seen.has(name)) yield warning(path.index(index).child('name'), `duplicate name ${JSON.stringify(name)}`);
    seen.add(name);
  }
  for (const [index, { name = '' }] of secrets.entries()) {
    if (name === '') yield warning(path.index(index).child('name'), 'invalid empty name ""');
  }
}

/** IPv6 addresses that are not in the form of RFC 5952. `path`: of the pod's spec. */
export function* warnOfAddresses({ dnsConfig, hostAliases = [] }: Unchecked<PodSpec>, path: FieldPath): Generator<string> {
  for (const [index, server] of (dnsConfig?.nameservers ?? []).entries()) {
    yield* warnOfAddress(server, path.child('dnsConfig', 'nameservers').index(index));
  }
  for (const [index, { ip = '' }] of hostAliases.entries()) yield* warnOfAddress(ip, path.child('hostAliases').index(index).child('ip'));
}

function* warnOfAddress(address: string, path: FieldPath): Generator<string> {
  if (!isIPv6(address) || address.includes('%')) return;
  // What a URL makes of it is RFC 5952 §4, but for addresses that hold one of IPv4, and those are refused or none.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (canonical !== address)
    yield warning(path, `IPv6 address ${JSON.stringify(address)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`);
}
