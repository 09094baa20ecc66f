/** Whether a rule of a role allows a request. The matching is that of Kubernetes. */
import type { PolicyRule } from '../../apis/rbac/v1/types.gen.ts';
import type { AccessRequest, ResourceAccess } from '../authorizer.ts';

/** Fields of stored rules may be absent. */
export type StoredRule = Partial<PolicyRule>;

const ALL = '*';

export const ruleAllows = (rule: StoredRule, request: AccessRequest): boolean =>
  includesOrAll(rule.verbs, request.verb) &&
  (request.isResource ? coversResource(rule, request) : (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, request.path)));

function coversResource({ apiGroups, resources, resourceNames }: StoredRule, request: ResourceAccess): boolean {
  return (
    includesOrAll(apiGroups, request.group) &&
    coversName(resourceNames, request.name) &&
    resources !== undefined &&
    resources.some((resource) => matchesResource(resource, request))
  );
}

const includesOrAll = (words: readonly string[] | undefined, word: string): boolean =>
  words !== undefined && (words.includes(word) || words.includes(ALL));

const coversName = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.length === 0 || names.includes(name);

function matchesResource(pattern: string, { resource, subresource }: ResourceAccess): boolean {
  if (pattern === ALL) return true;
  if (subresource === '') return pattern === resource;
  const separator = pattern.length - subresource.length - 1;
  if (separator < 0 || pattern[separator] !== '/' || !pattern.endsWith(subresource)) return false;
  const before = pattern.slice(0, separator);
  return before === resource || before === ALL;
}

/** A `*` at the end of a pattern stands for whatever comes there. */
export const matchesPath = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith(ALL) && path.startsWith(withoutStars(pattern)));

const withoutStars = (pattern: string): string => pattern.replace(/\*+$/, '');
