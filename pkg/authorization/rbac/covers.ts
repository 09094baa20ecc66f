/**
 * Which permissions of some rules other rules do not have, as Kubernetes computes it: rules are broken down to single
 * permissions, each of which one rule must cover.
 */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { type StoredRule, matchesPath } from './rule-allows.ts';

/** The single permissions of `rules` that no rule of `owned` covers. */
export const uncoveredRules = (owned: readonly StoredRule[], rules: readonly StoredRule[]): readonly StoredRule[] =>
  rules.flatMap(singlePermissions).filter((permission) => !owned.some((rule) => covers(rule, permission)));

function singlePermissions({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: StoredRule): StoredRule[] {
  const names: readonly (readonly string[] | undefined)[] = resourceNames.length === 0 ? [undefined] : resourceNames.map((name) => [name]);
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          ...(name === undefined ? {} : { resourceNames: name }),
        })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return [...ofResources, ...ofPaths];
}

const ALL = '*';

/** `permission`: single. */
function covers(rule: StoredRule, permission: StoredRule): boolean {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = permission.resourceNames ?? [];
  return (
    hasAll(verbs, permission.verbs, ALL) &&
    hasAll(apiGroups, permission.apiGroups, ALL) &&
    (permission.resources ?? []).every((resource) => coversResource(resources, resource)) &&
    (resourceNames.length === 0 || (names.length > 0 && hasAll(resourceNames, names))) &&
    (permission.nonResourceURLs ?? []).every((url) => nonResourceURLs.some((pattern) => matchesPath(pattern, url)))
  );
}

const hasAll = (words: readonly string[], wanted: readonly string[] = [], all?: string): boolean =>
  (all !== undefined && words.includes(all)) || wanted.every((word) => words.includes(word));

function coversResource(resources: readonly string[], resource: string): boolean {
  if (resources.includes(ALL) || resources.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && resources.includes(`*${resource.slice(slash)}`);
}

/**
 * Joins rules that differ in verbs only, of one resource or one path each, in the order of their first occurrence. As
 * Kubernetes does for messages.
 */
export function compactRules(rules: readonly StoredRule[]): readonly StoredRule[] {
  const joined = new Map<string, { readonly rule: StoredRule; readonly verbs: string[] }>();
  const others: StoredRule[] = [];
  for (const rule of rules) {
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs = [] } = rule;
    const isSimple = apiGroups.length === 1 && resources.length === 1 && nonResourceURLs.length === 0 && resourceNames.length <= 1;
    if (!isSimple) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { rule, verbs: [...verbs] });
    else known.verbs.push(...verbs);
  }
  return [...[...joined.values()].map(({ rule, verbs }) => ({ ...rule, verbs })), ...others];
}

/** As in Kubernetes' message: `{APIGroups:["batch"], Resources:["jobs"], Verbs:["get" "list"]}`. */
export function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: StoredRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  })
    .filter(([, words = []]) => words.length > 0)
    .map(([name, words = []]) => `${name}:${quotedList(words)}`);
  return `{${parts.join(', ')}}`;
}

/** Go's `%q` of a list. */
export const quotedList = (words: readonly string[]): string => `[${words.map((word) => quotedText(word)).join(' ')}]`;
