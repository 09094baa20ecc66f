/** May this user do this? One interface; its implementations stand beside this file, and a union asks them in turn. */
import type { UserInfo } from '../authentication/authenticator.ts';

/** What is asked for, as far as a decision may depend on it. */
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
}

export interface PathAccess {
  readonly isResource: false;
  readonly user: UserInfo;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export interface Authorizer {
  /**
   * `allow` or `deny`, and nobody else is asked; or `noOpinion`: the next one is asked, and in the end it is refused.
   * `reason`: one clause for the client.
   */
  authorize(request: AccessRequest): Promise<AccessDecision> | AccessDecision;
}

export interface AccessDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
}

/** Says beforehand what it would allow, for people to look at. Nothing may be decided by it. */
export interface RuleResolver {
  /** The rules that hold for this user in this namespace. */
  rulesFor(user: UserInfo, namespace: string): Promise<AccessRules> | AccessRules;
}

/** `*` stands for everything, and at the end of a path for whatever comes there. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly PathRule[];
  /** More may be allowed than the rules say. */
  readonly incomplete: boolean;
  /** Why, in a clause. */
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
