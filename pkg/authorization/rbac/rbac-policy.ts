/**
 * The roles and bindings of the moment, by the name of whom they concern, so that a decision looks only at the bindings
 * of the user and the user's groups. Whoever follows the stored objects keeps it up to date.
 */
import type { Subject, RoleRef } from '../../apis/rbac/v1/types.gen.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { AccessDecision } from '../authorizer.ts';
import type { StoredRule } from './rule-allows.ts';

/** As stored, where fields may be absent. A Role has a namespace, a ClusterRole none. */
export interface StoredRole {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly StoredRule[];
}

/** As stored. A RoleBinding has a namespace, a ClusterRoleBinding none. */
export interface StoredBinding {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly subjects?: readonly Partial<Subject>[];
  readonly roleRef?: Partial<RoleRef>;
}

/** What a binding gives to one of its subjects. */
export interface Grant {
  /** Tells bindings apart. */
  readonly bindingKey: string;
  /** The rules of its role; undefined if there is no such role. */
  readonly rules: readonly StoredRule[] | undefined;
  /** The decision if one of the rules allows a request. */
  readonly decision: AccessDecision;
  /** Why there are no rules, in Kubernetes' words. */
  readonly missing: string;
}

interface StoredGrant {
  readonly bindingKey: string;
  /** Of the subject in its binding. */
  readonly position: number;
  readonly roleKey: string;
  readonly decision: AccessDecision;
  readonly missing: string;
}

export type RbacScope = 'cluster' | 'namespaced';

/** Keys of what has no namespace begin with the slash. */
const isIn = (scope: RbacScope, key: string): boolean => key.startsWith('/') === (scope === 'cluster');

const userKey = (name: string) => `u:${name}`;
const groupKey = (name: string) => `g:${name}`;
const roleKeyOf = (namespace: string, name: string) => `${namespace}/${name}`;

export class RbacPolicy {
  readonly #groupSuffix: string;
  readonly #roles = new Map<string, readonly StoredRule[]>();
  /** By binding: names of users and groups. */
  readonly #subjects = new Map<string, readonly string[]>();
  /** By namespace, empty for ClusterRoleBindings; then by user or group; then by binding. */
  readonly #grants = new Map<string, Map<string, Map<string, StoredGrant>>>();

  constructor(groupSuffix: string) {
    this.#groupSuffix = groupSuffix;
  }

  /** Removes ClusterRoles, or Roles. */
  clearRoles(scope: RbacScope): void {
    for (const key of this.#roles.keys()) if (isIn(scope, key)) this.#roles.delete(key);
  }

  /** Removes ClusterRoleBindings, or RoleBindings. */
  clearBindings(scope: RbacScope): void {
    for (const key of this.#subjects.keys()) if (isIn(scope, key)) this.#subjects.delete(key);
    for (const namespace of this.#grants.keys()) if ((namespace === '') === (scope === 'cluster')) this.#grants.delete(namespace);
  }

  setRole(role: StoredRole): void {
    const { name = '', namespace = '' } = role.metadata;
    this.#roles.set(roleKeyOf(namespace, name), role.rules ?? []);
  }

  removeRole(namespace: string, name: string): void {
    this.#roles.delete(roleKeyOf(namespace, name));
  }

  setBinding(binding: StoredBinding): void {
    const { name = '', namespace = '' } = binding.metadata;
    this.removeBinding(namespace, name);
    const key = roleKeyOf(namespace, name);
    const entries = this.#index(binding);
    this.#subjects.set(
      key,
      entries.map(([who]) => who),
    );
    const grants = memberOf(this.#grants, namespace, () => new Map<string, Map<string, StoredGrant>>());
    for (const [who, grant] of entries) {
      const own = memberOf(grants, who, () => new Map<string, StoredGrant>());
      // The first subject counts.
      if (!own.has(key)) own.set(key, grant);
    }
  }

  removeBinding(namespace: string, name: string): void {
    const key = roleKeyOf(namespace, name);
    const grants = this.#grants.get(namespace);
    for (const who of this.#subjects.get(key) ?? []) {
      const own = grants?.get(who);
      own?.delete(key);
      if (own?.size === 0) grants?.delete(who);
    }
    if (grants?.size === 0) this.#grants.delete(namespace);
    this.#subjects.delete(key);
  }

  /**
   * Those of ClusterRoleBindings, then those of the RoleBindings in the namespace, if it is not empty. A binding that
   * names the user several times, such as by two groups, comes as often.
   */
  *grantsFor(user: UserInfo, namespace: string): Generator<Grant> {
    yield* this.#grantsIn('', user);
    if (namespace !== '') yield* this.#grantsIn(namespace, user);
  }

  /** Undefined if there is no such role. */
  rulesOf({ kind, name = '' }: Partial<RoleRef>, namespace: string): readonly StoredRule[] | undefined {
    return this.#roles.get(roleKeyOf(kind === 'Role' ? namespace : '', name));
  }

  *#grantsIn(namespace: string, { name, groups }: UserInfo): Generator<Grant> {
    const grants = this.#grants.get(namespace);
    if (grants === undefined) return;
    for (const grant of grants.get(userKey(name))?.values() ?? NONE) yield this.#resolve(grant);
    for (const group of groups) for (const grant of grants.get(groupKey(group))?.values() ?? NONE) yield this.#resolve(grant);
  }

  /** Kubernetes names the first subject of a binding that stands for the user. */
  decisionOf({ bindingKey, decision }: Grant, { name, groups }: UserInfo): AccessDecision {
    const grants = this.#grants.get(bindingKey.slice(0, bindingKey.indexOf('/')));
    let first = grants?.get(userKey(name))?.get(bindingKey);
    for (const group of groups) {
      const other = grants?.get(groupKey(group))?.get(bindingKey);
      if (other !== undefined && (first === undefined || other.position < first.position)) first = other;
    }
    return first?.decision ?? decision;
  }

  #resolve({ bindingKey, roleKey, decision, missing }: StoredGrant): Grant {
    return { bindingKey, rules: this.#roles.get(roleKey), decision, missing };
  }

  #index({ metadata: { name = '', namespace = '' }, subjects = [], roleRef = {} }: StoredBinding) {
    const { kind = '', name: roleName = '' } = roleRef;
    const roleKey = roleKeyOf(kind === 'Role' ? namespace : '', roleName);
    const missing = `${kind.toLowerCase()}.rbac.authorization.${this.#groupSuffix} ${quotedText(roleName)} not found`;
    const source = namespace === '' ? `ClusterRoleBinding ${quotedText(name)}` : `RoleBinding ${quotedText(`${name}/${namespace}`)}`;
    const grantTo = (subject: Partial<Subject>, position: number): StoredGrant => ({
      bindingKey: roleKeyOf(namespace, name),
      position,
      roleKey,
      missing,
      decision: {
        decision: 'allow',
        reason: `RBAC: allowed by ${source} of ${kind} ${quotedText(roleName)} to ${describeSubject(subject, namespace)}`,
      },
    });
    return subjects.flatMap((subject, position) => {
      const who = whoIs(subject, namespace);
      return who === undefined ? [] : [[who, grantTo(subject, position)] as const];
    });
  }
}

const NONE: Iterable<never> = [];

function whoIs({ kind, name = '', namespace = '' }: Partial<Subject>, bindingNamespace: string): string | undefined {
  switch (kind) {
    case 'User':
      return userKey(name);
    case 'Group':
      return groupKey(name);
    case 'ServiceAccount': {
      const own = namespace === '' ? bindingNamespace : namespace;
      return own === '' ? undefined : userKey(`system:serviceaccount:${own}:${name}`);
    }
    default:
      return undefined;
  }
}

function describeSubject({ kind = '', name = '', namespace = '' }: Partial<Subject>, bindingNamespace: string): string {
  const shown = kind === 'ServiceAccount' ? `${name}/${namespace === '' ? bindingNamespace : namespace}` : name;
  return `${kind} ${quotedText(shown)}`;
}

function memberOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
