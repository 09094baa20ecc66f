import { AUTHENTICATED_GROUP } from '../authentication/groups.ts';
import type { UserInfo } from '../authentication/authenticator.ts';
import { NO_RULES } from './authorizer.ts';
import type { AccessDecision, AccessRules, Authorizer, RuleResolver } from './authorizer.ts';

const ALLOW: AccessDecision = { decision: 'allow' };
const NO_OPINION: AccessDecision = { decision: 'noOpinion' };
const EVERYTHING: AccessRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

const isAuthenticated = ({ groups }: UserInfo) => groups.includes(AUTHENTICATED_GROUP);

/** Authenticated users may do everything. */
export const authenticatedAuthorizer: Authorizer & RuleResolver = {
  authorize: ({ user }) => (isAuthenticated(user) ? ALLOW : NO_OPINION),
  rulesFor: (user) => (isAuthenticated(user) ? EVERYTHING : NO_RULES),
};
