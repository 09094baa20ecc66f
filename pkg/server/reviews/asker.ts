import type { AskedAccess, Asker } from '../../apis/review.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { Authorizer, RuleResolver } from '../../authorization/authorizer.ts';

/** Whoever sent a request, as a review sees them: they are asked about with their own rights, whatever those are. */
export const toAsker = (user: UserInfo, authorizer: Authorizer & RuleResolver, nowMs: number): Asker => ({
  user,
  nowMs,
  decide: async (access: AskedAccess) => authorizer.authorize({ ...access, user }),
  rulesIn: async (namespace) => authorizer.rulesFor(user, namespace),
});
