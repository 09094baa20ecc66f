import type { Authenticator, UserInfo } from './authenticator.ts';
import { ANONYMOUS_USER, UNAUTHENTICATED_GROUP } from './groups.ts';

const ANONYMOUS: UserInfo = { name: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] };

/**
 * Whoever shows no credentials. It takes every request, so it must be asked last, and only when no credentials were
 * wrong.
 */
export const anonymousAuthenticator: Authenticator = { authenticate: () => ANONYMOUS };
