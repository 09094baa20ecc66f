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
  /** `allow`, or `noOpinion`: the next one is asked, and in the end it is refused. `reason`: one clause for the client. */
  authorize(request: AccessRequest): Promise<AccessDecision> | AccessDecision;
}

export interface AccessDecision {
  readonly decision: 'allow' | 'noOpinion';
  readonly reason?: string;
}
