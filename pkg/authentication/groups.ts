/** The users and groups that the server itself names. */
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';

/** Everyone who was authenticated is in it. */
export const AUTHENTICATED_GROUP = 'system:authenticated';
/** Everyone else is in this one. */
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
export const ANONYMOUS_USER = 'system:anonymous';

/** Whoever `authenticator` finds is also in `system:authenticated`, at the end of the groups. */
export function withAuthenticatedGroup(authenticator: Authenticator): Authenticator {
  // What an authenticator keeps for a connection or a token comes back as the same object with every request.
  const known = new WeakMap<UserInfo, UserInfo>();
  const add = (user: UserInfo): UserInfo => {
    const before = known.get(user);
    if (before !== undefined) return before;
    const added = isMarked(user) ? user : { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
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

// A certificate may carry the anonymous user's name or group: that makes nobody more than anonymous.
const isMarked = ({ name, groups }: UserInfo) =>
  name === ANONYMOUS_USER || groups.includes(AUTHENTICATED_GROUP) || groups.includes(UNAUTHENTICATED_GROUP);
