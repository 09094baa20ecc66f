import { ADMIN_GROUP } from './authenticator.ts';
import type { Authenticator, UserInfo } from './authenticator.ts';

const INSECURE_ADMIN: UserInfo = { name: 'system:unsecured', groups: [ADMIN_GROUP, 'system:authenticated'] };

/** Whoever reaches the insecure port counts as admin: it is loopback only and off by default. */
export const insecurePortAuthenticator: Authenticator = {
  authenticate: ({ secure }) => (secure ? undefined : INSECURE_ADMIN),
};
