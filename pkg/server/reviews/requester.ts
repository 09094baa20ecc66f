import type { RequestedAccess, Requester, TokenService } from '../../apis/review.ts';
import type { Authorizer, RuleResolver } from '../../authorization/authorizer.ts';
import type { AuthenticatedContext } from '../filters/context.ts';

export interface RequesterOptions {
  readonly authorizer: Authorizer & RuleResolver;
  readonly tokens: TokenService;
  readonly nowMs: number;
}

/** The sender of a request, as reviews see it: questions are answered with the sender's own rights. */
export function toRequester(
  context: AuthenticatedContext,
  { namespace, name }: Requester['target'],
  { authorizer, tokens, nowMs }: RequesterOptions,
): Requester {
  const { user } = context;
  return {
    user,
    nowMs,
    tokens,
    target: { namespace, name },
    signal: context.signal,
    warn: (text) => context.warn(text),
    decide: async (access: RequestedAccess) => authorizer.authorize({ ...access, user }),
    decideFor: async (asked, access) => authorizer.authorize({ ...access, user: asked }),
    rulesIn: async (namespaceOfRules) => authorizer.rulesFor(user, namespaceOfRules),
  };
}
