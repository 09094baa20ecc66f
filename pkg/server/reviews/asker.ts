import type { AskedAccess, Asker } from '../../apis/review.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { Authorizer, RuleResolver } from '../../authorization/authorizer.ts';

/** The sender of a request, as reviews see it: questions are answered with the sender's own rights. */
export const toAsker = (user: UserInfo, authorizer: Authorizer & RuleResolver, nowMs: number): Asker => ({
  user,
  nowMs,
  decide: async (access: AskedAccess) => authorizer.authorize({ ...access, user }),
  rulesIn: async (namespace) => authorizer.rulesFor(user, namespace),
});
