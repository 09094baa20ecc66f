import type { Authenticator } from './authenticator.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenTable } from './token-file.ts';
import { unauthorized } from './unauthorized.ts';

/**
 * `Authorization: Bearer <token>` (RFC 6750 section 2.1). The scheme's case does not matter; what follows the token is
 * ignored, and no token at all is no credentials, all as in Kubernetes. A token that nobody has is wrong credentials,
 * also when no token is known.
 */
export const createBearerTokenAuthenticator = (tokens: TokenTable): Authenticator => ({
  authenticate: ({ headers }) => {
    const token = bearerToken(headers['authorization']);
    if (token === '') return undefined;
    // Header values hold one byte per character, whatever the client meant by them.
    const user = tokens.get(tokenDigest(Buffer.from(token, 'latin1')));
    if (user === undefined) throw unauthorized('the bearer token is not known');
    return user;
  },
});

/** Empty: none. */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
