/** The roles and bindings that every server has from its first start: those of Kubernetes that make sense here. */
import type { KubernetesObject } from '../../apis/kind.ts';
import type { AggregationRule } from '../../apis/rbac/v1/clusterroles/types.gen.ts';
import type { PolicyRule, RoleRef, Subject } from '../../apis/rbac/v1/types.gen.ts';
import policy from './bootstrap-policy.json' with { type: 'json' };

export type BootstrapRole = KubernetesObject & { readonly rules?: readonly PolicyRule[]; readonly aggregationRule?: AggregationRule };
export type BootstrapBinding = KubernetesObject & { readonly subjects?: readonly Subject[]; readonly roleRef: RoleRef };

export interface BootstrapPolicy {
  readonly clusterroles: readonly BootstrapRole[];
  readonly roles: readonly BootstrapRole[];
  readonly clusterrolebindings: readonly BootstrapBinding[];
  readonly rolebindings: readonly BootstrapBinding[];
}

/** Tells apart what the server made. */
const LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
/** With the value `false`, the object stays as it is. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

interface PolicyEntry {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
type RoleEntry = PolicyEntry & Pick<BootstrapRole, 'rules' | 'aggregationRule'>;
type BindingEntry = PolicyEntry & { readonly subjects: readonly Omit<Subject, 'apiGroup'>[]; readonly roleRef: Omit<RoleRef, 'apiGroup'> };
type PolicyFile = Readonly<Record<'clusterroles' | 'roles', readonly RoleEntry[]>> &
  Readonly<Record<'clusterrolebindings' | 'rolebindings', readonly BindingEntry[]>>;

export function createBootstrapPolicy(groupSuffix: string): BootstrapPolicy {
  const text = JSON.stringify(policy).replaceAll('{group_suffix}', groupSuffix);
  // The assertion is safe: a test validates every object.
  const entries = JSON.parse(text) as PolicyFile;
  const group = `rbac.authorization.${groupSuffix}`;
  const objectOf = (kind: string, { name, namespace, labels }: PolicyEntry): KubernetesObject => ({
    kind,
    apiVersion: `${group}/v1`,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...LABELS, ...labels },
      annotations: { [AUTO_UPDATE]: 'true' },
    },
  });
  const roleOf =
    (kind: string) =>
    (entry: RoleEntry): BootstrapRole => {
      const { rules, aggregationRule } = entry;
      return {
        ...objectOf(kind, entry),
        ...(rules === undefined ? {} : { rules }),
        ...(aggregationRule === undefined ? {} : { aggregationRule }),
      };
    };
  const bindingOf =
    (kind: string) =>
    (entry: BindingEntry): BootstrapBinding => ({
      ...objectOf(kind, entry),
      subjects: entry.subjects.map((subject) => (subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: group })),
      roleRef: { apiGroup: group, ...entry.roleRef },
    });
  return {
    clusterroles: entries.clusterroles.map(roleOf('ClusterRole')),
    roles: entries.roles.map(roleOf('Role')),
    clusterrolebindings: entries.clusterrolebindings.map(bindingOf('ClusterRoleBinding')),
    rolebindings: entries.rolebindings.map(bindingOf('RoleBinding')),
  };
}
