/** The user that the claims of an ID token define. The messages are those of Kubernetes. */
import type { UserInfo } from '../authenticator.ts';
import { unauthorized } from '../unauthorized.ts';
import type { JwtIssuer } from './issuer.ts';

export type Claims = ReadonlyMap<string, unknown>;

/** Throws Unauthorized for claims that define no user, or not one that may come in. */
export function toOidcUser(claims: Claims, { username, groups, uid, requiredClaims }: JwtIssuer): UserInfo {
  const name = username.prefix + textOf(claims, username.claim, `parse username claims ${JSON.stringify(username.claim)}`);
  if (username.claim === 'email' && claims.has('email_verified') && claims.get('email_verified') !== true)
    throw refused('email not verified');
  const groupNames = groups === undefined ? [] : groupsOf(claims, groups.claim).map((group) => groups.prefix + group);
  const uidText = uid === undefined ? '' : textOf(claims, uid, `parse uid claim ${JSON.stringify(uid)}`);
  for (const { claim, value } of requiredClaims) {
    if (!claims.has(claim)) throw refused(`required claim ${claim} not present in ID token`);
    const found = textOf(claims, claim, `parse claim ${claim}`);
    if (found !== value) throw refused(`required claim ${claim} value does not match. Got = ${found}, want = ${value}`);
  }
  return { name, ...(uidText === '' ? {} : { uid: uidText }), groups: groupNames };
}

const refused = (why: string) => unauthorized(`oidc: ${why}`);

function textOf(claims: Claims, claim: string, what: string): string {
  const value = claims.get(claim);
  if (value === undefined) throw refused(`${what}: claim not present`);
  if (typeof value !== 'string') throw refused(`${what}: the claim is no string`);
  return value;
}

/** A single group may be a string. */
function groupsOf(claims: Claims, claim: string): readonly string[] {
  const value = claims.get(claim);
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [value];
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (!isList) throw refused(`parse groups claim ${JSON.stringify(claim)}: the claim is neither a string nor a list of strings`);
  return value;
}
