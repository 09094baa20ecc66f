import { AUTHENTICATED_GROUP } from '../authentication/groups.ts';
import type { AccessDecision, Authorizer } from './authorizer.ts';

const ALLOW: AccessDecision = { decision: 'allow' };
const NO_OPINION: AccessDecision = { decision: 'noOpinion' };

/** Whoever was authenticated may do everything. */
export const authenticatedAuthorizer: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(AUTHENTICATED_GROUP) ? ALLOW : NO_OPINION),
};
