/** RBAC objects as a test has them, questions about them, and what Kubernetes' authorizer answers. */

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Meta {
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleObject {
  readonly kind: 'Role' | 'ClusterRole';
  readonly metadata: Meta;
  readonly rules?: readonly Rule[];
}

export interface BindingObject {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  readonly metadata: Meta;
  readonly subjects?: readonly Subject[];
  readonly roleRef: { readonly apiGroup: string; readonly kind: RoleObject['kind']; readonly name: string };
}

export type RbacObject = RoleObject | BindingObject;

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** What tells objects apart. */
export const keyOf = ({ kind, metadata: { name, namespace = '' } }: RbacObject): string => `${kind} ${namespace}/${name}`;

export interface AskingUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whether the user may do this. */
export type AccessQuestion = { readonly about: 'access'; readonly user: AskingUser } & (
  | {
      readonly isResource: true;
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly isResource: false; readonly verb: string; readonly path: string }
);

/** Which rules the user has here. */
export interface RulesQuestion {
  readonly about: 'rules';
  readonly user: AskingUser;
  readonly namespace: string;
}

/** Whether the user may give these rules to others here: in a namespace, or everywhere. */
export interface GrantQuestion {
  readonly about: 'grant';
  readonly user: AskingUser;
  readonly namespace: string;
  readonly rules: readonly Rule[];
}

export type Question = AccessQuestion | RulesQuestion | GrantQuestion;

export interface Answer {
  /** Of access and grant. */
  readonly allowed: boolean;
  /** Of allowed access: each binding that allows it. Authorizers name one of them. */
  readonly sources?: readonly string[];
  /** Of denied access; absent: there is none. */
  readonly reason?: string;
  /** Of rules. */
  readonly resourceRules?: readonly Rule[];
  readonly nonResourceRules?: readonly Rule[];
  /** Of rules: what could not be read. Of a refused grant: the text that clients see. */
  readonly error?: string;
}
