/** Random RBAC objects that kube-apiserver would store, of few words, so that they meet. */
import type { Draw } from '../draw.ts';
import { RBAC_GROUP, type BindingObject, type RbacObject, type RoleObject, type Rule, type Subject } from './policy.ts';
import { GROUPS, API_GROUPS, NAMES, NAMESPACES, OBJECT_NAMES, PATH_PATTERNS, RESOURCES, SERVICE_ACCOUNTS, USERS, VERBS } from './words.ts';

const DANGLING = 'no-such-role';

export function drawObject(draw: Draw): RbacObject {
  const draws = [drawRole, drawClusterRole, drawRoleBinding, drawClusterRoleBinding];
  return draw.pick(draws)(draw);
}

const drawRole = (draw: Draw): RoleObject => ({
  kind: 'Role',
  metadata: { name: draw.pick(NAMES), namespace: draw.pick(NAMESPACES) },
  ...withRules(draw, () => drawResourceRule(draw)),
});

const drawClusterRole = (draw: Draw): RoleObject => ({
  kind: 'ClusterRole',
  metadata: { name: draw.pick(NAMES) },
  ...withRules(draw, () => (draw.chance(0.3) ? drawPathRule(draw) : drawResourceRule(draw))),
});

const drawRoleBinding = (draw: Draw): BindingObject => ({
  kind: 'RoleBinding',
  metadata: { name: draw.pick(NAMES), namespace: draw.pick(NAMESPACES) },
  ...withSubjects(draw, () => drawSubject(draw, true)),
  roleRef: { apiGroup: RBAC_GROUP, kind: draw.pick(['Role', 'ClusterRole']), name: drawRoleName(draw) },
});

const drawClusterRoleBinding = (draw: Draw): BindingObject => ({
  kind: 'ClusterRoleBinding',
  metadata: { name: draw.pick(NAMES) },
  ...withSubjects(draw, () => drawSubject(draw, false)),
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: drawRoleName(draw) },
});

const drawRoleName = (draw: Draw): string => (draw.chance(0.05) ? DANGLING : draw.pick(NAMES));

const withRules = (draw: Draw, one: () => Rule): Pick<RoleObject, 'rules'> => {
  const rules = drawList(draw, one);
  return rules === undefined ? {} : { rules };
};

const withSubjects = (draw: Draw, one: () => Subject): Pick<BindingObject, 'subjects'> => {
  const subjects = drawList(draw, one);
  return subjects === undefined ? {} : { subjects };
};

/** Absent, empty, or up to three. */
function drawList<T>(draw: Draw, one: () => T): readonly T[] | undefined {
  if (draw.chance(0.05)) return undefined;
  const count = draw.chance(0.05) ? 0 : 1 + draw.integer(3);
  return Array.from({ length: count }, one);
}

function drawSubject(draw: Draw, isNamespaced: boolean): Subject {
  const kind = draw.pick(['User', 'Group', 'ServiceAccount'] as const);
  if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC_GROUP, name: draw.pick(kind === 'User' ? USERS : GROUPS) };
  const name = draw.pick(SERVICE_ACCOUNTS);
  return isNamespaced && draw.chance(0.4) ? { kind, name } : { kind, name, namespace: draw.pick(NAMESPACES) };
}

/** One or two, sometimes the same twice. */
const someOf = (draw: Draw, words: readonly string[]): readonly string[] =>
  Array.from({ length: 1 + draw.integer(2) }, () => draw.pick(words));

export function drawResourceRule(draw: Draw): Rule {
  const rule = { verbs: someOf(draw, VERBS), apiGroups: someOf(draw, API_GROUPS), resources: someOf(draw, RESOURCES) };
  if (draw.chance(0.6)) return rule;
  return { ...rule, resourceNames: draw.chance(0.1) ? [] : someOf(draw, OBJECT_NAMES) };
}

export const drawPathRule = (draw: Draw): Rule => ({ verbs: someOf(draw, VERBS), nonResourceURLs: someOf(draw, PATH_PATTERNS) });
