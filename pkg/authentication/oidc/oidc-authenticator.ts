/** Authenticates the ID tokens of one OIDC issuer. The result is remembered until the token expires. */
import { compactVerify, errors } from 'jose';
import { BoundedMap } from '../../apimachinery/recent/bounded-map.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { UserInfo } from '../authenticator.ts';
import { sharedAudiences, type AuthenticatedToken, type TokenAuthenticator, type TokenQuestion } from '../bearer-token.ts';
import { readUnverified } from '../jwt/unverified.ts';
import { unauthorized, undecided } from '../unauthorized.ts';
import { toOidcUser, type Claims } from './claims.ts';
import type { JwtIssuer } from './issuer.ts';
import { type IssuerKeySet, KeysUnavailable } from './key-set.ts';

export interface OidcAuthenticatorOptions {
  readonly issuer: JwtIssuer;
  readonly keys: IssuerKeySet;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
}

interface VerifiedIdToken {
  readonly user: UserInfo;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const MAX_VERIFIED = 32_768;
/** For a token that is not valid yet: clocks may differ. */
const NOT_BEFORE_LEEWAY_MS = 5 * 60_000;

export function createOidcAuthenticator({ issuer, keys, audiences: own, clock }: OidcAuthenticatorOptions): TokenAuthenticator {
  const verified = new BoundedMap<string, VerifiedIdToken>(MAX_VERIFIED);

  const verify = async ({ token }: TokenQuestion, audiences: readonly string[]): Promise<AuthenticatedToken> => {
    const claims = await verifiedClaims(token.bytes, issuer, keys);
    const found = { user: toOidcUser(claims, issuer), expiresAt: assertValid(claims, issuer, clock.now()) };
    verified.set(token.digest, found);
    return { user: found.user, audiences };
  };

  return {
    authenticateToken: (question) => {
      const audiences = sharedAudiences(own, question.audiences);
      if (audiences.length === 0) return undefined;
      const { token } = question;
      const known = verified.get(token.digest);
      if (known !== undefined) {
        if (clock.now() < known.expiresAt) return { user: known.user, audiences };
        verified.delete(token.digest);
        throw refused('token is expired');
      }
      return readUnverified(token.bytes)?.issuer === issuer.url ? verify(question, audiences) : undefined;
    },
  };
}

const refused = (why: string) => unauthorized(`oidc: verify token: ${why}`);

async function verifiedClaims(token: Buffer, { algorithms }: JwtIssuer, keys: IssuerKeySet): Promise<Claims> {
  let payload;
  try {
    payload = await verifyWithAny(token, [...algorithms], keys);
  } catch (error) {
    if (error instanceof KeysUnavailable) throw undecided(`oidc: ${error.message}`);
    throw refused(errorMessage(error));
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    if (typeof claims === 'object' && claims !== null) return new Map(Object.entries(claims));
  } catch {
    // Below.
  }
  throw refused('the claims are not JSON');
}

/** A token without a key id may be signed by any key of its type. */
async function verifyWithAny(token: Buffer, algorithms: string[], keys: IssuerKeySet): Promise<Uint8Array> {
  try {
    return (await compactVerify(token, keys, { algorithms })).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await compactVerify(token, key, { algorithms })).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** When the token expires. */
function assertValid(claims: Claims, { url, audiences }: JwtIssuer, nowMs: number): number {
  if (claims.get('iss') !== url) throw refused('it is of another issuer');
  const aud = claims.get('aud');
  const named = (Array.isArray(aud) ? (aud as unknown[]) : [aud]).filter((each) => typeof each === 'string');
  if (!named.some((each) => audiences.includes(each))) {
    throw refused(`expected audience in ${JSON.stringify(audiences)} got ${JSON.stringify(named)}`);
  }
  const [exp, nbf] = [claims.get('exp'), claims.get('nbf')];
  if (typeof exp !== 'number') throw refused('it has no expiry');
  if (nowMs >= exp * 1000) throw refused('token is expired');
  if (typeof nbf === 'number' && nowMs + NOT_BEFORE_LEEWAY_MS < nbf * 1000) throw refused('it is not valid yet');
  return exp * 1000;
}
