import type { Authenticator } from './authenticator.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenTable } from './token-file.ts';
import { unauthorized } from './unauthorized.ts';

/**
 * `Authorization: Bearer <token>` (RFC 6750 section 2.1). As in Kubernetes, the scheme is case-insensitive, text after
 * the token is ignored, and an empty token counts as no credentials. An unknown token is invalid even if no tokens are
 * configured.
 */
export const createBearerTokenAuthenticator = (tokens: TokenTable): Authenticator => ({
  authenticate: ({ headers }) => {
    const token = bearerToken(headers['authorization']);
    if (token === '') return undefined;
    // Header values have one byte per character, whatever their encoding.
    const user = tokens.get(tokenDigest(Buffer.from(token, 'latin1')));
    if (user === undefined) throw unauthorized('the bearer token is not known');
    return user;
  },
});

/** Empty if there is none. */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
