import { authenticatedAuthorizer } from './authenticated.ts';
import type { Authorizer, RuleResolver } from './authorizer.ts';
import { publicPathsAuthorizer } from './public-paths.ts';
import { unionRuleResolver } from './union-rules.ts';
import { unionAuthorizer } from './union.ts';

/** Everyone may read health and version; authenticated users may do everything. */
export function createAuthorizer(): Authorizer & RuleResolver {
  const authorizers = [authenticatedAuthorizer, publicPathsAuthorizer];
  return { ...unionAuthorizer(authorizers), ...unionRuleResolver(authorizers) };
}
