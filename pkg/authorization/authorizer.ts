import type { AccessSelectors } from '../apimachinery/selectors/access-selectors.ts';
import type { UserInfo } from '../authentication/authenticator.ts';

/** The attributes of a request that decisions may depend on. */
export type AccessRequest = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly isResource: true;
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a list, a watch or the deletion of a collection. Absent: none. */
  readonly selectors?: () => AccessSelectors;
}

export interface PathAccess {
  readonly isResource: false;
  readonly user: UserInfo;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export interface Authorizer {
  /** `noOpinion`: the next authorizer decides; without a next one, the request is denied. */
  authorize(request: AccessRequest): Promise<AccessDecision> | AccessDecision;
}

export interface AccessDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
  /** An authorizer could not decide. What is not allowed then is an internal error instead of a refusal. */
  readonly error?: string;
}

/** Lists rules for people. Decisions must not depend on them. */
export interface RuleResolver {
  /** The rules that apply to this user in this namespace. */
  rulesFor(user: UserInfo, namespace: string): Promise<AccessRules> | AccessRules;
}

/** `*` matches everything; at the end of a path, any suffix. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly PathRule[];
  /** More may be allowed than the rules contain. */
  readonly incomplete: boolean;
  /** The reason, as a clause. */
  readonly evaluationError?: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** `<resource>/<subresource>` for subresources. */
  readonly resources: readonly string[];
  /** Absent: objects of any name. */
  readonly resourceNames?: readonly string[];
}

export interface PathRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export const NO_RULES: AccessRules = { resourceRules: [], nonResourceRules: [], incomplete: false };
