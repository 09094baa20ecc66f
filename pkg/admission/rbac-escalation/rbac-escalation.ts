/**
 * Nobody grants more than she has: who writes a role must hold its permissions or the verb `escalate`, who writes a
 * binding those of its role or the verb `bind`. Rules and messages are those of Kubernetes.
 */
import { equalByShape } from '../../apis/equal-by-shape.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import { ClusterRoleBindingShape } from '../../apis/rbac/v1/clusterrolebindings/shapes.gen.ts';
import { ClusterRoleShape } from '../../apis/rbac/v1/clusterroles/shapes.gen.ts';
import { RoleBindingShape } from '../../apis/rbac/v1/rolebindings/shapes.gen.ts';
import { RoleShape } from '../../apis/rbac/v1/roles/shapes.gen.ts';
import type { PolicyRule, RoleRef } from '../../apis/rbac/v1/types.gen.ts';
import type { AggregationRule } from '../../apis/rbac/v1/clusterroles/types.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { notFound, objectForbidden } from '../../apimachinery/status/status-error.ts';
import { ADMIN_GROUP, type UserInfo } from '../../authentication/authenticator.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { uncoveredRules } from '../../authorization/rbac/covers.ts';
import { grantRefusal } from '../../authorization/rbac/grant-refusal.ts';
import { rulesFor } from '../../authorization/rbac/rbac-authorizer.ts';
import type { RbacPolicy } from '../../authorization/rbac/rbac-policy.ts';
import type { StoredRule } from '../../authorization/rbac/rule-allows.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

export interface RbacEscalationOptions {
  readonly groupSuffix: string;
  readonly policy: RbacPolicy;
  readonly authorizer: Authorizer;
}

/** A write of a known user. Those of the server itself are not checked. */
interface UserWrite {
  readonly request: AdmissionRequest;
  readonly user: UserInfo;
  readonly object: KubernetesObject;
}

type WrittenRole = KubernetesObject & {
  readonly rules?: readonly Partial<PolicyRule>[];
  readonly aggregationRule?: Partial<AggregationRule>;
};
type WrittenBinding = KubernetesObject & { readonly roleRef?: Partial<RoleRef> };

const EVERYTHING: readonly StoredRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export function createRbacEscalation(options: RbacEscalationOptions): AdmissionPlugin {
  const group = `rbac.authorization.${options.groupSuffix}`;
  return {
    name: 'RBACEscalation',
    admit: async (request, object) => {
      const { definition, user, stored, subresource } = request;
      if (definition.group !== group || user === undefined || subresource !== '' || user.groups.includes(ADMIN_GROUP)) return object;
      if (stored !== undefined && onlyChangesWhatCollectorsDo(definition.resource, object, stored)) return object;
      const write = { request, user, object };
      if (definition.resource === 'roles' || definition.resource === 'clusterroles') await checkRole(options, write);
      else await checkBinding(options, write, group);
      return object;
    },
  };
}

async function checkRole(options: RbacEscalationOptions, { request, user, object }: UserWrite): Promise<void> {
  const { definition, namespace, name, operation } = request;
  const { group, resource } = definition;
  // The name is that of the path, which a create does not have.
  const target = { group, resource, namespace, name: operation === 'CREATE' ? '' : name };
  if (await mayDo(options, user, 'escalate', target)) return;
  const role = object as WrittenRole;
  assertHeld(options, { request, user, object }, role.rules ?? []);
  if (!isAggregated(role) && !isAggregated(request.stored)) return;
  // Its rules may become anything.
  if (uncoveredRules(rulesFor(options.policy, user, namespace).rules, EVERYTHING).length > 0)
    throw objectForbidden(definition, object.metadata.name ?? '', 'must have cluster-admin privileges to use the aggregationRule');
}

const isAggregated = (role: WrittenRole | undefined): boolean => (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

async function checkBinding(options: RbacEscalationOptions, { request, user, object }: UserWrite, group: string): Promise<void> {
  const { namespace } = request;
  const { roleRef = {} } = object as WrittenBinding;
  const { kind, name = '', apiGroup = '' } = roleRef;
  if (kind === 'ClusterRole' || kind === 'Role') {
    const resource = kind === 'Role' ? 'roles' : 'clusterroles';
    if (await mayDo(options, user, 'bind', { group: apiGroup, resource, namespace, name })) return;
  } else {
    // The rules of the kind refuse it.
    return;
  }
  const rules = options.policy.rulesOf(roleRef, namespace);
  if (rules === undefined) throw notFound({ group, resource: kind.toLowerCase() }, name);
  assertHeld(options, { request, user, object }, rules);
}

interface GrantTarget {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

async function mayDo({ authorizer }: RbacEscalationOptions, user: UserInfo, verb: string, target: GrantTarget): Promise<boolean> {
  const { decision } = await authorizer.authorize({ isResource: true, user, verb, version: '*', subresource: '', ...target });
  return decision === 'allow';
}

function assertHeld({ policy }: RbacEscalationOptions, { request, user, object }: UserWrite, rules: readonly StoredRule[]): void {
  const refusal = grantRefusal(policy, user, request.namespace, rules);
  if (refusal !== undefined) throw objectForbidden(request.definition, object.metadata.name ?? '', refusal);
}

/** Finalizers and owners may be changed by who may not grant, so that deletions end. */
const onlyChangesWhatCollectorsDo = (resource: string, object: KubernetesObject, stored: KubernetesObject): boolean => {
  const shape = SHAPES.get(resource);
  return shape !== undefined && equalByShape(shape, comparable(object), comparable(stored));
};

const SHAPES: ReadonlyMap<string, ObjectShape> = new Map([
  ['roles', RoleShape],
  ['clusterroles', ClusterRoleShape],
  ['rolebindings', RoleBindingShape],
  ['clusterrolebindings', ClusterRoleBindingShape],
]);

const comparable = ({ metadata, ...rest }: KubernetesObject): JsonObject => ({
  ...rest,
  metadata: { ...metadata, ownerReferences: undefined, finalizers: undefined, managedFields: undefined, resourceVersion: undefined },
});
