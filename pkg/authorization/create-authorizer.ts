import type { Authorizer, RuleResolver } from './authorizer.ts';
import { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from './constant.ts';
import { privilegedGroupAuthorizer } from './privileged-group.ts';
import { publicPathsAuthorizer } from './public-paths.ts';
import { unionRuleResolver } from './union-rules.ts';
import { unionAuthorizer } from './union.ts';

export const AUTHORIZATION_MODES = ['RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** The chain of authorizers: administrators, public paths, then the modes in their order. */
export function createAuthorizer(
  modes: readonly AuthorizationMode[],
  authorizers: { readonly RBAC: Authorizer & RuleResolver },
): Authorizer & RuleResolver {
  const byMode = { ...authorizers, AlwaysAllow: alwaysAllowAuthorizer, AlwaysDeny: alwaysDenyAuthorizer };
  const chain = [privilegedGroupAuthorizer, publicPathsAuthorizer, ...modes.map((mode) => byMode[mode])];
  return { ...unionAuthorizer(chain), ...unionRuleResolver(chain) };
}
