/** Random questions about a policy. Most are aimed: a rule allows them, or would but for one word. */
import type { Draw } from '../draw.ts';
import { drawPathRule, drawResourceRule } from './draw-policy.ts';
import {
  keyOf,
  type AccessQuestion,
  type AskingUser,
  type BindingObject,
  type GrantQuestion,
  type RbacObject,
  type RoleObject,
  type Rule,
  type RulesQuestion,
  type Subject,
} from './policy.ts';
import { API_GROUPS, GROUPS, NAMESPACES, OBJECT_NAMES, PATHS, PLAIN_RESOURCES, SUBRESOURCES, USERS, VERBS } from './words.ts';

const AIMED = 0.8;
const MISSED = 0.4;

type Policy = readonly RbacObject[];

export function drawAccess(draw: Draw, policy: Policy): AccessQuestion {
  const aimed = draw.chance(AIMED) ? aimedAccess(draw, policy) : undefined;
  if (aimed === undefined) return randomAccess(draw, draw.chance(0.7));
  return draw.chance(MISSED) ? missed(draw, aimed) : aimed;
}

/** A question that a rule allows, and the same with another word; undefined if no rule is bound. */
export function drawPair(draw: Draw, policy: Policy): readonly [AccessQuestion, AccessQuestion] | undefined {
  const aimed = aimedAccess(draw, policy);
  return aimed === undefined ? undefined : [aimed, missed(draw, aimed)];
}

export const drawRulesQuestion = (draw: Draw, policy: Policy): RulesQuestion => ({
  about: 'rules',
  user: drawUser(draw, policy),
  namespace: drawNamespace(draw),
});

/** Mostly rules that the user has, or parts of them. */
export function drawGrant(draw: Draw, policy: Policy): GrantQuestion {
  const bound = boundRules(policy);
  const from = bound.length > 0 && draw.chance(AIMED) ? draw.pick(bound) : undefined;
  const user = from === undefined ? randomUser(draw) : userOf(draw, from.binding);
  const rules = Array.from({ length: 1 + draw.integer(2) }, () => {
    if (from !== undefined && draw.chance(0.8)) return draw.chance(0.3) ? draw.pick(from.rules) : narrowed(draw, draw.pick(from.rules));
    return draw.chance(0.2) ? drawPathRule(draw) : drawResourceRule(draw);
  });
  const namespace = draw.chance(AIMED) ? from?.binding.metadata.namespace : undefined;
  return { about: 'grant', user, namespace: namespace ?? drawNamespace(draw), rules };
}

const isRole = (object: RbacObject): object is RoleObject => object.kind === 'Role' || object.kind === 'ClusterRole';
const isBinding = (object: RbacObject): object is BindingObject => !isRole(object);

/** Mostly less than the rule allows: one verb, and one path, resource or name of those it has. */
function narrowed(draw: Draw, rule: Rule): Rule {
  const { nonResourceURLs, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const verbs = [wordFor(draw, rule.verbs, VERBS)];
  if (nonResourceURLs !== undefined) return { verbs, nonResourceURLs: [pathFor(draw, nonResourceURLs)] };
  const { resource, subresource } = resourceFor(draw, resources);
  return {
    verbs,
    apiGroups: [wordFor(draw, apiGroups, API_GROUPS)],
    resources: [subresource === '' ? resource : `${resource}/${subresource}`],
    ...(draw.chance(0.4) ? {} : { resourceNames: [draw.pick(resourceNames.length === 0 ? OBJECT_NAMES : resourceNames)] }),
  };
}

const drawNamespace = (draw: Draw): string => (draw.chance(0.25) ? '' : draw.pick(NAMESPACES));

const drawGroups = (draw: Draw): readonly string[] => Array.from({ length: draw.integer(4) }, () => draw.pick(GROUPS));

/** Mostly one that the policy binds. */
function drawUser(draw: Draw, policy: Policy): AskingUser {
  const bindings = policy.filter(isBinding).filter(({ subjects = [] }) => subjects.length > 0);
  return bindings.length > 0 && draw.chance(AIMED) ? userOf(draw, draw.pick(bindings)) : randomUser(draw);
}

const randomUser = (draw: Draw): AskingUser => ({ name: draw.chance(0.05) ? '' : draw.pick(USERS), groups: drawGroups(draw) });

/** Somebody whom the binding is about. */
function userOf(draw: Draw, { subjects = [], metadata }: BindingObject): AskingUser {
  const subject: Subject = draw.pick(subjects);
  const groups = drawGroups(draw);
  switch (subject.kind) {
    case 'User':
      return { name: subject.name, groups };
    case 'Group':
      return { name: draw.pick(USERS), groups: draw.chance(0.5) ? [...groups, subject.name] : [subject.name, ...groups] };
    case 'ServiceAccount':
      return { name: `system:serviceaccount:${subject.namespace ?? metadata.namespace ?? ''}:${subject.name}`, groups };
  }
}

function aimedAccess(draw: Draw, policy: Policy): AccessQuestion | undefined {
  const bound = boundRules(policy);
  if (bound.length === 0) return undefined;
  const { binding, rules } = draw.pick(bound);
  const user = userOf(draw, binding);
  const rule = draw.pick(rules);
  const verb = wordFor(draw, rule.verbs, VERBS);
  if (rule.nonResourceURLs !== undefined)
    return { about: 'access', user, isResource: false, verb, path: pathFor(draw, rule.nonResourceURLs) };
  const names = rule.resourceNames ?? [];
  return {
    about: 'access',
    user,
    isResource: true,
    verb,
    group: wordFor(draw, rule.apiGroups ?? [], API_GROUPS),
    version: 'v1',
    ...resourceFor(draw, rule.resources ?? []),
    namespace: binding.metadata.namespace ?? drawNamespace(draw),
    name: draw.pick(names.length === 0 ? OBJECT_NAMES : names),
  };
}

interface BoundRules {
  readonly binding: BindingObject;
  readonly rules: readonly Rule[];
}

/** Bindings that give somebody something. */
function boundRules(policy: Policy): readonly BoundRules[] {
  const roles = new Map(policy.filter(isRole).map((role) => [keyOf(role), role]));
  return policy.filter(isBinding).flatMap((binding) => {
    const { roleRef, metadata, subjects = [] } = binding;
    const { kind, name } = roleRef;
    const { namespace } = metadata;
    const key = keyOf({ kind, metadata: { name, ...(kind === 'Role' && namespace !== undefined ? { namespace } : {}) } });
    const { rules = [] } = roles.get(key) ?? {};
    return subjects.length > 0 && rules.length > 0 ? [{ binding, rules }] : [];
  });
}

const wordFor = (draw: Draw, words: readonly string[], any: readonly string[]): string => {
  const word = draw.pick(words);
  return word === '*' ? draw.pick(any) : word;
};

/** A review may name a subresource in `resource`, too. */
function resourceFor(draw: Draw, resources: readonly string[]): { readonly resource: string; readonly subresource: string } {
  const written = draw.pick(resources);
  if (written === '*') return { resource: draw.pick(PLAIN_RESOURCES), subresource: draw.pick(SUBRESOURCES) };
  // A colon separates nothing.
  const separator = written.search(/[/:]/);
  if (separator < 0 || draw.chance(0.1)) return { resource: written, subresource: '' };
  const resource = written.slice(0, separator);
  return { resource: resource === '*' ? draw.pick(PLAIN_RESOURCES) : resource, subresource: written.slice(separator + 1) };
}

function pathFor(draw: Draw, patterns: readonly string[]): string {
  const pattern = draw.pick(patterns);
  return pattern.endsWith('*') ? pattern.replace(/\*+$/, '') + draw.pick(['', 'x', '/x', '*']) : pattern;
}

function randomAccess(draw: Draw, isResource: boolean): AccessQuestion {
  const asked = { about: 'access', user: randomUser(draw), verb: draw.pick(VERBS) } as const;
  if (!isResource) return { ...asked, isResource, path: draw.pick(PATHS) };
  return {
    ...asked,
    isResource,
    group: draw.pick(API_GROUPS),
    version: 'v1',
    resource: draw.pick(PLAIN_RESOURCES),
    subresource: draw.pick(SUBRESOURCES),
    namespace: drawNamespace(draw),
    name: draw.pick(OBJECT_NAMES),
  };
}

/** The same question with another word somewhere: one like it, or one of another question. */
function missed(draw: Draw, aimed: AccessQuestion): AccessQuestion {
  const other = randomAccess(draw, aimed.isResource);
  const words = Object.keys(aimed).filter((word) => word !== 'about' && word !== 'isResource' && word !== 'version');
  const word = draw.pick(words) as keyof AccessQuestion;
  if (draw.chance(0.5)) return { ...aimed, [word]: other[word] };
  if (word === 'user') return { ...aimed, user: { ...aimed.user, name: similar(draw, aimed.user.name) } };
  return { ...aimed, [word]: similar(draw, String(aimed[word])) };
}

function similar(draw: Draw, word: string): string {
  const changes = [word.toUpperCase(), word.toLowerCase(), `${word}x`, `x${word}`, word.slice(0, -1), word.slice(1), ''];
  return draw.pick(changes);
}
