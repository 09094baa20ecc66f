import type { Counter } from '../observability/instruments.ts';
import type { AccessDecision, Authorizer, RuleResolver } from './authorizer.ts';

export interface DecisionCounters {
  readonly allowed: Counter;
  readonly denied: Counter;
}

/** Counts the decisions that end the chain. */
export function countDecisions(authorizer: Authorizer & RuleResolver, { allowed, denied }: DecisionCounters): Authorizer & RuleResolver {
  const count = (decided: AccessDecision): AccessDecision => {
    if (decided.decision === 'allow') allowed.inc();
    else if (decided.decision === 'deny') denied.inc();
    return decided;
  };
  return {
    authorize: (request) => {
      const decided = authorizer.authorize(request);
      return decided instanceof Promise ? decided.then(count) : count(decided);
    },
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
  };
}
