import { ADMIN_GROUP } from './authenticator.ts';
import type { Authenticator, UserInfo } from './authenticator.ts';

const INSECURE_ADMIN: UserInfo = { name: 'system:unsecured', groups: [ADMIN_GROUP, 'system:authenticated'] };

/** Requests to the insecure port are made by an admin: the port is loopback only and off by default. */
export const insecurePortAuthenticator: Authenticator = {
  authenticate: ({ secure }) => (secure ? undefined : INSECURE_ADMIN),
};
