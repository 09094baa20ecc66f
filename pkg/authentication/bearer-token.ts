/** A bearer token, whoever issued it, and what makes a user of it. */
import { hash } from 'node:crypto';
import type { Authenticator, UserInfo } from './authenticator.ts';
import { InvalidCredentials, refusalOf, unauthorizedBy } from './unauthorized.ts';

export interface BearerToken {
  readonly bytes: Buffer;
  /** The key for looking up the token: the duration of a lookup reveals nothing about tokens. */
  readonly digest: string;
}

export const toBearerToken = (bytes: Buffer): BearerToken => ({ bytes, digest: hash('sha256', bytes, 'base64') });

export interface AuthenticatedToken {
  /** The same object for the same token, as long as nothing changes. */
  readonly user: UserInfo;
  /** Those of the audiences in question that the token is meant for; at least one. */
  readonly audiences: readonly string[];
}

export interface TokenQuestion {
  readonly token: BearerToken;
  /** The token must be meant for one of them. */
  readonly audiences: readonly string[];
}

type FoundToken = AuthenticatedToken | undefined;

/** Undefined: the token is none of this authenticator. Throws StatusError Unauthorized if it is, but invalid. */
export interface TokenAuthenticator {
  authenticateToken(question: TokenQuestion): Promise<FoundToken> | FoundToken;
}

/** For tokens that name no audiences: they are meant for this server. */
export const sharedAudiences = (own: readonly string[], asked: readonly string[]): readonly string[] =>
  own === asked ? own : asked.filter((audience) => own.includes(audience));

const INVALID = new InvalidCredentials(['invalid bearer token'], false);

/** Throws Unauthorized for a token that nobody knows. */
export function authenticateToken(tokens: TokenAuthenticator, question: TokenQuestion): Promise<AuthenticatedToken> | AuthenticatedToken {
  const refuse = (error: unknown): never => {
    throw unauthorizedBy([INVALID, refusalOf(error)]);
  };
  const accept = (found: FoundToken): AuthenticatedToken => {
    if (found === undefined) throw unauthorizedBy([INVALID]);
    return found;
  };
  let found;
  try {
    found = tokens.authenticateToken(question);
  } catch (error) {
    return refuse(error);
  }
  return found instanceof Promise ? found.catch(refuse).then(accept) : accept(found);
}

export interface TokenSourceOptions {
  readonly tokens: TokenAuthenticator;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
}

export function authenticateUser({ tokens, audiences }: TokenSourceOptions, bytes: Buffer): Promise<UserInfo> | UserInfo {
  const found = authenticateToken(tokens, { token: toBearerToken(bytes), audiences });
  return found instanceof Promise ? found.then(({ user }) => user) : found.user;
}

/**
 * `Authorization: Bearer <token>` (RFC 6750 section 2.1). As in Kubernetes, the scheme is case-insensitive, text after
 * the token is ignored, and an empty token counts as no credentials. An unknown token is invalid even if no tokens are
 * configured.
 */
export const createBearerTokenAuthenticator = (options: TokenSourceOptions): Authenticator => ({
  authenticate: ({ headers, repeatedHeaders }) => {
    // As in Kubernetes, the first of several headers counts.
    const token = bearerToken(repeatedHeaders?.get('authorization')?.[0] ?? headers['authorization']);
    // Header values have one byte per character, whatever their encoding.
    return token === '' ? undefined : authenticateUser(options, Buffer.from(token, 'latin1'));
  },
});

/** Empty if there is none. */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
