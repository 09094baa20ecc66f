/**
 * Authenticates tokens of ServiceAccounts. The signature is verified once; that the account and the object that the
 * token is bound to still exist, for each request.
 */
import { compactVerify } from 'jose';
import { BoundedMap } from '../../apimachinery/recent/bounded-map.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { UserInfo } from '../authenticator.ts';
import type { AuthenticatedToken, TokenAuthenticator, TokenQuestion } from '../bearer-token.ts';
import { readUnverified } from '../jwt/unverified.ts';
import { validityProblem } from '../jwt/validity.ts';
import { unauthorized } from '../unauthorized.ts';
import { parseTokenClaims, type ServiceAccountClaims, type TokenReference } from './claims.ts';
import type { VerificationKey } from './keys.ts';
import { serviceAccountGroups, serviceAccountUser } from './names.ts';

/** The objects that tokens depend on, as they are now. */
export interface TokenObjects {
  /** Undefined: there is none. Throws ServiceUnavailable while that is not known. */
  find(resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes', namespace: string, name: string): TokenObjectState | undefined;
}

export interface TokenObjectState {
  readonly uid: string;
  /** Milliseconds since the epoch. Absent: it is not being deleted. */
  readonly deletedAt?: number;
}

export interface ServiceAccountAuthenticatorOptions {
  /** The first one issues tokens; those of the others are still valid. */
  readonly issuers: readonly string[];
  readonly keys: readonly VerificationKey[];
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly objects: TokenObjects;
  readonly clock: Pick<Clock, 'now'>;
}

interface VerifiedToken {
  readonly claims: ServiceAccountClaims;
  readonly user: UserInfo;
}

/** About 1 KB each. */
const MAX_VERIFIED = 32_768;
/** As in Kubernetes, what is being deleted is valid for that long. */
const DELETION_LEEWAY_MS = 60_000;

export function createServiceAccountAuthenticator(options: ServiceAccountAuthenticatorOptions): TokenAuthenticator {
  const { audiences: own, clock } = options;
  const verified = new BoundedMap<string, VerifiedToken>(MAX_VERIFIED);

  const accept = ({ claims, user }: VerifiedToken, { token, audiences: asked }: TokenQuestion): AuthenticatedToken => {
    const now = clock.now();
    const problem = validityProblem(claims, now);
    if (problem !== undefined) {
      if (problem === 'expired') verified.delete(token.digest);
      throw unauthorized(PROBLEMS[problem]);
    }
    const audiences = asked.filter((audience) => claims.aud.includes(audience));
    if (audiences.length === 0)
      throw unauthorized(`token audiences ${quoted(claims.aud)} is invalid for the target audiences ${quoted(asked)}`);
    assertObjects(options.objects, claims, now);
    return { user, audiences };
  };

  const verify = async (question: TokenQuestion, keys: readonly VerificationKey[]): Promise<AuthenticatedToken> => {
    const claims = await verifiedClaims(question.token.bytes, keys, own);
    const found = { claims, user: toUser(claims) };
    verified.set(question.token.digest, found);
    return accept(found, question);
  };

  return {
    authenticateToken: (question) => {
      const { token } = question;
      const known = verified.get(token.digest);
      if (known !== undefined) return accept(known, question);
      const unverified = readUnverified(token.bytes);
      if (unverified === undefined || !options.issuers.includes(unverified.issuer)) return undefined;
      const keys = options.keys.filter(({ id }) => unverified.keyId === undefined || id === unverified.keyId);
      if (keys.length === 0) throw unauthorized('invalid signature, no keys found');
      return verify(question, keys);
    },
  };
}

const PROBLEMS = {
  expired: 'service account token has expired',
  'not valid yet': 'service account token is not valid yet',
  'issued in the future': 'service account token is issued in the future',
};

const quoted = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;

async function verifiedClaims(token: Buffer, keys: readonly VerificationKey[], own: readonly string[]): Promise<ServiceAccountClaims> {
  for (const { key, algorithm } of keys) {
    const payload = await compactVerify(token, key, { algorithms: [algorithm] }).then(
      (result) => result.payload,
      () => undefined,
    );
    if (payload === undefined) continue;
    const claims = parseTokenClaims(payload, own);
    if (claims === undefined) throw unauthorized('service account token has other claims than expected');
    return claims;
  }
  throw unauthorized('the signature of the service account token is invalid');
}

function assertObjects(objects: TokenObjects, claims: ServiceAccountClaims, now: number): void {
  const { namespace, serviceAccount, secret, pod, node } = claims;
  const account = objects.find('serviceaccounts', namespace, serviceAccount.name);
  if (account === undefined) throw unauthorized(`serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`);
  if (account.uid !== serviceAccount.uid) {
    throw unauthorized(`service account UID (${account.uid}) does not match claim (${serviceAccount.uid})`);
  }
  if (isGone(account, now)) throw unauthorized(`service account ${namespace}/${serviceAccount.name} has been deleted`);
  const assertBound = (resource: 'secrets' | 'pods' | 'nodes', what: string, ref: TokenReference | undefined) => {
    if (ref === undefined) return;
    const found = objects.find(resource, resource === 'nodes' ? '' : namespace, ref.name);
    if (found === undefined || isGone(found, now)) throw unauthorized('service account token has been invalidated');
    if (found.uid !== ref.uid) {
      throw unauthorized(`${what} UID (${found.uid}) does not match service account ${what.toLowerCase()} ref claim (${ref.uid})`);
    }
  };
  assertBound('secrets', 'secret', secret);
  assertBound('pods', 'Pod', pod);
  if (pod === undefined) assertBound('nodes', 'node', node);
}

const isGone = ({ deletedAt }: TokenObjectState, now: number) => deletedAt !== undefined && deletedAt < now - DELETION_LEEWAY_MS;

const KEYS = 'authentication.kubernetes.io/';

function toUser({ namespace, serviceAccount, pod, node, jti }: ServiceAccountClaims): UserInfo {
  const extra = {
    ...(pod === undefined ? {} : { [`${KEYS}pod-name`]: [pod.name], [`${KEYS}pod-uid`]: [pod.uid] }),
    ...(jti === undefined ? {} : { [`${KEYS}credential-id`]: [`JTI=${jti}`] }),
    ...(node === undefined ? {} : { [`${KEYS}node-name`]: [node.name], ...(node.uid === '' ? {} : { [`${KEYS}node-uid`]: [node.uid] }) }),
  };
  return {
    name: serviceAccountUser({ namespace, name: serviceAccount.name }),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
