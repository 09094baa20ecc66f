import type { Authorizer, RuleResolver } from './authorizer.ts';
import { privilegedGroupAuthorizer } from './privileged-group.ts';
import { publicPathsAuthorizer } from './public-paths.ts';
import { unionRuleResolver } from './union-rules.ts';
import { unionAuthorizer } from './union.ts';

/** The chain of authorizers: administrators, public paths, then the configured ones in their order. */
export function createAuthorizer(configured: readonly (Authorizer & RuleResolver)[]): Authorizer & RuleResolver {
  const chain = [privilegedGroupAuthorizer, publicPathsAuthorizer, ...configured];
  return { ...unionAuthorizer(chain), ...unionRuleResolver(chain) };
}
