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
  /** Of the subject in its binding. */
  readonly position: number;
  readonly roleKey: string;
  /** The decision if one of the role's rules allows a request. */
  readonly decision: AccessDecision;
  /** That there is no such role, in Kubernetes' words. */
  readonly missing: string;
}

/** By binding. */
type Grants = ReadonlyMap<string, Grant>;

/** Of one namespace, by name. */
class SubjectGrants {
  readonly users = new Map<string, Map<string, Grant>>();
  readonly groups = new Map<string, Map<string, Grant>>();

  of(kind: SubjectKey['kind']): Map<string, Map<string, Grant>> {
    return kind === 'user' ? this.users : this.groups;
  }

  get isEmpty(): boolean {
    return this.users.size === 0 && this.groups.size === 0;
  }
}

/** Whom a subject means: ServiceAccounts are users. */
interface SubjectKey {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

export type RbacScope = 'cluster' | 'namespaced';

/** Keys of what has no namespace begin with the slash. */
const isIn = (scope: RbacScope, key: string): boolean => key.startsWith('/') === (scope === 'cluster');

const roleKeyOf = (namespace: string, name: string) => `${namespace}/${name}`;

export class RbacPolicy {
  readonly #groupSuffix: string;
  readonly #roles = new Map<string, readonly StoredRule[]>();
  /** By binding. */
  readonly #subjects = new Map<string, readonly SubjectKey[]>();
  /** By namespace, empty for ClusterRoleBindings. */
  readonly #grants = new Map<string, SubjectGrants>();

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
    const grants = memberOf(this.#grants, namespace, () => new SubjectGrants());
    for (const [who, grant] of entries) {
      const own = memberOf(grants.of(who.kind), who.name, () => new Map<string, Grant>());
      // The first subject counts.
      if (!own.has(key)) own.set(key, grant);
    }
  }

  removeBinding(namespace: string, name: string): void {
    const key = roleKeyOf(namespace, name);
    const grants = this.#grants.get(namespace);
    for (const { kind, name: who } of this.#subjects.get(key) ?? []) {
      const own = grants?.of(kind).get(who);
      own?.delete(key);
      if (own?.size === 0) grants?.of(kind).delete(who);
    }
    if (grants?.isEmpty === true) this.#grants.delete(namespace);
    this.#subjects.delete(key);
  }

  /**
   * Calls `visit` for the grants of ClusterRoleBindings, then for those of the RoleBindings in the namespace, if it is
   * not empty, until it returns true. A binding that names the user several times, such as by two groups, comes as
   * often.
   */
  someGrant(user: UserInfo, namespace: string, visit: (grant: Grant) => boolean): boolean {
    return this.#someGrantIn('', user, visit) || (namespace !== '' && this.#someGrantIn(namespace, user, visit));
  }

  #someGrantIn(namespace: string, { name, groups }: UserInfo, visit: (grant: Grant) => boolean): boolean {
    const grants = this.#grants.get(namespace);
    if (grants === undefined) return false;
    return some(grants.users.get(name), visit) || groups.some((group) => some(grants.groups.get(group), visit));
  }

  /** Undefined if there is no such role. */
  rulesOf({ kind, name = '' }: Partial<RoleRef>, namespace: string): readonly StoredRule[] | undefined {
    return this.#roles.get(roleKeyOf(kind === 'Role' ? namespace : '', name));
  }

  /** Undefined if there is no such role. */
  rulesOfGrant({ roleKey }: Grant): readonly StoredRule[] | undefined {
    return this.#roles.get(roleKey);
  }

  /** Kubernetes names the first subject of a binding that stands for the user. */
  decisionOf({ bindingKey, decision }: Grant, { name, groups }: UserInfo): AccessDecision {
    const grants = this.#grants.get(bindingKey.slice(0, bindingKey.indexOf('/')));
    let first = grants?.users.get(name)?.get(bindingKey);
    for (const group of groups) {
      const other = grants?.groups.get(group)?.get(bindingKey);
      if (other !== undefined && (first === undefined || other.position < first.position)) first = other;
    }
    return first?.decision ?? decision;
  }

  #index({ metadata: { name = '', namespace = '' }, subjects = [], roleRef = {} }: StoredBinding) {
    const { kind = '', name: roleName = '' } = roleRef;
    const roleKey = roleKeyOf(kind === 'Role' ? namespace : '', roleName);
    const missing = `${kind.toLowerCase()}.rbac.authorization.${this.#groupSuffix} ${quotedText(roleName)} not found`;
    const source = namespace === '' ? `ClusterRoleBinding ${quotedText(name)}` : `RoleBinding ${quotedText(`${name}/${namespace}`)}`;
    const grantTo = (subject: Partial<Subject>, position: number): Grant => ({
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

function some(grants: Grants | undefined, visit: (grant: Grant) => boolean): boolean {
  if (grants !== undefined) for (const grant of grants.values()) if (visit(grant)) return true;
  return false;
}

function whoIs({ kind, name = '', namespace = '' }: Partial<Subject>, bindingNamespace: string): SubjectKey | undefined {
  switch (kind) {
    case 'User':
      return { kind: 'user', name };
    case 'Group':
      return { kind: 'group', name };
    case 'ServiceAccount': {
      const own = namespace === '' ? bindingNamespace : namespace;
      return own === '' ? undefined : { kind: 'user', name: `system:serviceaccount:${own}:${name}` };
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
