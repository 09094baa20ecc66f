import { joinUnique } from '../apimachinery/status/status-error.ts';
import type { AccessDecision, AccessRequest, Authorizer } from './authorizer.ts';

type Decided = AccessDecision | Promise<AccessDecision>;

/** The first authorizer that allows or denies decides. Otherwise the reasons and errors of all are joined. */
export const unionAuthorizer = (authorizers: readonly Authorizer[]): Authorizer => ({
  authorize: (request) => authorizeFrom(authorizers, request, 0, []),
});

// Awaits only promises, as for authenticators.
function authorizeFrom(authorizers: readonly Authorizer[], request: AccessRequest, from: number, undecided: AccessDecision[]): Decided {
  for (let at = from; at < authorizers.length; at++) {
    const decided = authorizers[at]?.authorize(request);
    if (decided === undefined) continue;
    if (decided instanceof Promise)
      return decided.then((decision) => {
        if (decision.decision !== 'noOpinion') return decision;
        undecided.push(decision);
        return authorizeFrom(authorizers, request, at + 1, undecided);
      });
    if (decided.decision !== 'noOpinion') return decided;
    if (decided.reason !== undefined || decided.error !== undefined) undecided.push(decided);
  }
  const reasons = undecided.flatMap(({ reason }) => reason ?? []);
  const errors = undecided.flatMap(({ error }) => error ?? []);
  return {
    decision: 'noOpinion',
    ...(reasons.length === 0 ? {} : { reason: reasons.join('\n') }),
    ...(errors.length === 0 ? {} : { error: joinUnique(errors) }),
  };
}
