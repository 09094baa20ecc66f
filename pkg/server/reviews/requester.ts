import type { RequestedAccess, Requester } from '../../apis/review.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { Authorizer, RuleResolver } from '../../authorization/authorizer.ts';

/** The sender of a request, as reviews see it: questions are answered with the sender's own rights. */
export const toRequester = (user: UserInfo, authorizer: Authorizer & RuleResolver, nowMs: number): Requester => ({
  user,
  nowMs,
  decide: async (access: RequestedAccess) => authorizer.authorize({ ...access, user }),
  rulesIn: async (namespace) => authorizer.rulesFor(user, namespace),
});
