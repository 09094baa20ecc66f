import { ADMIN_GROUP } from '../authentication/authenticator.ts';
import { NO_RULES } from './authorizer.ts';
import type { AccessDecision, AccessRules, Authorizer, RuleResolver } from './authorizer.ts';

const ALLOW: AccessDecision = { decision: 'allow' };
const NO_OPINION: AccessDecision = { decision: 'noOpinion' };

export const EVERYTHING: AccessRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

/** Members of `system:masters` may do everything, so that nobody can lock all out. */
export const privilegedGroupAuthorizer: Authorizer & RuleResolver = {
  authorize: ({ user }) => (user.groups.includes(ADMIN_GROUP) ? ALLOW : NO_OPINION),
  rulesFor: ({ groups }) => (groups.includes(ADMIN_GROUP) ? EVERYTHING : NO_RULES),
};
