/** Users and groups that the server itself defines. */
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';

/** All authenticated users. */
export const AUTHENTICATED_GROUP = 'system:authenticated';
/** All other users. */
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
export const ANONYMOUS_USER = 'system:anonymous';

/** Appends `system:authenticated` to the groups of each user. */
export function withAuthenticatedGroup(authenticator: Authenticator): Authenticator {
  // Authenticators return the same object for all requests of a connection or token.
  const known = new WeakMap<UserInfo, UserInfo>();
  const add = (user: UserInfo): UserInfo => {
    const before = known.get(user);
    if (before !== undefined) return before;
    const added = toAuthenticated(user);
    known.set(user, added);
    return added;
  };
  return {
    authenticate: (credentials: Credentials) => {
      const found = authenticator.authenticate(credentials);
      if (found === undefined) return undefined;
      if (found instanceof Promise) return found.then((user) => (user === undefined ? undefined : add(user)));
      return add(found);
    },
  };
}

export const toAuthenticated = (user: UserInfo): UserInfo =>
  isMarked(user) ? user : { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };

// A certificate may contain the anonymous user's name or group, which must not give it more rights than anonymous.
const isMarked = ({ name, groups }: UserInfo) =>
  name === ANONYMOUS_USER || groups.includes(AUTHENTICATED_GROUP) || groups.includes(UNAUTHENTICATED_GROUP);
