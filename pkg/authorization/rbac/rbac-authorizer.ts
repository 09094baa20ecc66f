/** Decides by roles and bindings, as Kubernetes' RBAC does. */
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { AccessDecision, AccessRules, Authorizer, RuleResolver } from '../authorizer.ts';
import type { Grant, RbacPolicy } from './rbac-policy.ts';
import { ruleAllows, type StoredRule } from './rule-allows.ts';

export interface RbacAuthorizerOptions {
  readonly policy: RbacPolicy;
  /** Throws StatusError ServiceUnavailable while the policy is not complete, since a guess may be wrong. */
  readonly assertComplete: () => void;
}

const NO_OPINION: AccessDecision = { decision: 'noOpinion' };

export function createRbacAuthorizer({ policy, assertComplete }: RbacAuthorizerOptions): Authorizer & RuleResolver {
  return {
    authorize: (request) => {
      assertComplete();
      const missing: string[] = [];
      let allowed: Grant | undefined;
      policy.someGrant(request.user, request.isResource ? request.namespace : '', (grant) => {
        const rules = policy.rulesOfGrant(grant);
        if (rules === undefined) missing.push(grant.missing);
        else if (rules.some((rule) => ruleAllows(rule, request))) allowed = grant;
        return allowed !== undefined;
      });
      if (allowed !== undefined) return policy.decisionOf(allowed, request.user);
      return missing.length === 0 ? NO_OPINION : { decision: 'noOpinion', reason: `RBAC: ${aggregate(missing)}` };
    },
    rulesFor: (user, namespace) => {
      assertComplete();
      return toAccessRules(rulesFor(policy, user, namespace));
    },
  };
}

export interface HeldRules {
  readonly rules: readonly StoredRule[];
  /** Roles that bindings name and that do not exist. */
  readonly errors: readonly string[];
}

/** All rules that the user has in a namespace, in the order in which they are looked at. */
export function rulesFor(policy: RbacPolicy, user: UserInfo, namespace: string): HeldRules {
  const rules: StoredRule[] = [];
  const errors: string[] = [];
  const seen = new Set<string>();
  policy.someGrant(user, namespace, (grant) => {
    if (seen.has(grant.bindingKey)) return false;
    seen.add(grant.bindingKey);
    const own = policy.rulesOfGrant(grant);
    if (own === undefined) errors.push(grant.missing);
    else rules.push(...own);
    return false;
  });
  return { rules, errors };
}

function toAccessRules({ rules, errors }: HeldRules): AccessRules {
  return {
    resourceRules: rules.flatMap(({ verbs = [], apiGroups = [], resources = [], resourceNames }) =>
      resources.length === 0 ? [] : [{ verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) }],
    ),
    nonResourceRules: rules.flatMap(({ verbs = [], nonResourceURLs = [] }) =>
      nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
    ),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: aggregate(errors) }),
  };
}

/** As Go's aggregate of errors. */
export function aggregate(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
