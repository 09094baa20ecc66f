import type { AccessDecision, AccessRequest, Authorizer } from './authorizer.ts';

type Decided = AccessDecision | Promise<AccessDecision>;

/** The first authorizer that allows or denies decides. Otherwise the reasons of all are joined. */
export const unionAuthorizer = (authorizers: readonly Authorizer[]): Authorizer => ({
  authorize: (request) => authorizeFrom(authorizers, request, 0, []),
});

// Awaits only promises, as for authenticators.
function authorizeFrom(authorizers: readonly Authorizer[], request: AccessRequest, from: number, reasons: string[]): Decided {
  for (let at = from; at < authorizers.length; at++) {
    const decided = authorizers[at]?.authorize(request);
    if (decided === undefined) continue;
    if (decided instanceof Promise)
      return decided.then((decision) => {
        if (decision.decision !== 'noOpinion') return decision;
        note(decision, reasons);
        return authorizeFrom(authorizers, request, at + 1, reasons);
      });
    if (decided.decision !== 'noOpinion') return decided;
    note(decided, reasons);
  }
  return reasons.length === 0 ? { decision: 'noOpinion' } : { decision: 'noOpinion', reason: reasons.join(', ') };
}

function note({ reason }: AccessDecision, reasons: string[]): void {
  if (reason !== undefined) reasons.push(reason);
}
