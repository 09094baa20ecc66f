/** Who a token belongs to, for servers that ask (TokenReview). */
import { ANONYMOUS, type AnonymousAccess } from './anonymous.ts';
import type { UserInfo } from './authenticator.ts';
import { authenticateToken, bearerToken, sharedAudiences, toBearerToken, type TokenAuthenticator } from './bearer-token.ts';
import { toAuthenticated } from './groups.ts';
import { refusalOf } from './unauthorized.ts';

export interface TokenReviewOptions {
  readonly tokens: TokenAuthenticator;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly anonymous: () => AnonymousAccess;
}

export type ReviewedToken =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Absent: there is no token that could be valid. */
  | { readonly error?: string };

/** As in Kubernetes, a token is read as the header of a request would be, and one that reads as none is anonymous. */
export const reviewToken =
  ({ tokens, audiences: own, anonymous }: TokenReviewOptions) =>
  async (text: string, audiences: readonly string[]): Promise<ReviewedToken> => {
    const token = bearerToken(`Bearer ${text}`);
    if (token === '') {
      const { enabled, paths } = anonymous();
      const shared = sharedAudiences(own, audiences);
      return enabled && paths === undefined && shared.length > 0 ? { user: ANONYMOUS, audiences: shared } : {};
    }
    try {
      const found = await authenticateToken(tokens, { token: toBearerToken(Buffer.from(token, 'utf8')), audiences });
      return { user: toAuthenticated(found.user), audiences: found.audiences };
    } catch (error) {
      return { error: refusalOf(error).message };
    }
  };
