import type { Authenticator, UserInfo } from './authenticator.ts';
import { ANONYMOUS_USER, UNAUTHENTICATED_GROUP } from './groups.ts';

/** Who may come without credentials. */
export interface AnonymousAccess {
  readonly enabled: boolean;
  /** Only these paths. Absent: all. */
  readonly paths?: ReadonlySet<string>;
}

export const ANONYMOUS: UserInfo = { name: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] };

/** For requests without credentials. Must be the last authenticator: without paths, it accepts every request. */
export const createAnonymousAuthenticator = (access: () => AnonymousAccess): Authenticator => ({
  authenticate: ({ path }) => {
    const { enabled, paths } = access();
    return enabled && (paths === undefined || (path !== undefined && paths.has(path))) ? ANONYMOUS : undefined;
  },
});
