import { isIPv6 } from 'node:net';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { HostAlias, LocalObjectReference, PodSpec } from '../types.gen.ts';
import { warning } from './warning.ts';

/** Warns of duplicate addresses. */
export function* warnOfHostAliases(aliases: readonly Unchecked<HostAlias>[] = [], path: FieldPath): Generator<string> {
  const seen = new Set<string>();
  for (const [index, { ip = '' }] of aliases.entries()) {
    if (seen.has(ip)) yield warning(path.index(index).child('ip'), `duplicate ip ${JSON.stringify(ip)}`);
    seen.add(ip);
  }
}

/** Warns of duplicate and empty names. */
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

/** Warns of IPv6 addresses that are not canonical (RFC 5952). `path`: that of the pod's spec. */
export function* warnOfAddresses({ dnsConfig, hostAliases = [] }: Unchecked<PodSpec>, path: FieldPath): Generator<string> {
  for (const [index, server] of (dnsConfig?.nameservers ?? []).entries()) {
    yield* warnOfAddress(server, path.child('dnsConfig', 'nameservers').index(index));
  }
  for (const [index, { ip = '' }] of hostAliases.entries()) yield* warnOfAddress(ip, path.child('hostAliases').index(index).child('ip'));
}

function* warnOfAddress(address: string, path: FieldPath): Generator<string> {
  if (!isIPv6(address) || address.includes('%')) return;
  // The URL parser writes RFC 5952 §4, except for embedded IPv4 addresses, which validation already restricts.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (canonical !== address)
    yield warning(path, `IPv6 address ${JSON.stringify(address)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`);
}
