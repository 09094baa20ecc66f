import type { Authenticator, UserInfo } from './authenticator.ts';
import { ANONYMOUS_USER, UNAUTHENTICATED_GROUP } from './groups.ts';

const ANONYMOUS: UserInfo = { name: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] };

/** For requests without credentials. Must be the last authenticator: it accepts every request. */
export const anonymousAuthenticator: Authenticator = { authenticate: () => ANONYMOUS };
