import { NO_RULES } from './authorizer.ts';
import type { Authorizer, RuleResolver } from './authorizer.ts';
import { EVERYTHING } from './privileged-group.ts';

export const alwaysAllowAuthorizer: Authorizer & RuleResolver = {
  authorize: () => ({ decision: 'allow' }),
  rulesFor: () => EVERYTHING,
};

export const alwaysDenyAuthorizer: Authorizer & RuleResolver = {
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => NO_RULES,
};
