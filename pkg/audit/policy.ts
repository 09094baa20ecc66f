/** Decides by the audit policy what is recorded of a request. Kubernetes' rules: the first one that matches. */
import type { GroupResources, Policy, PolicyRule } from '../apis/audit/v1/types.gen.ts';
import type { AccessRequest, ResourceAccess } from '../authorization/authorizer.ts';

export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof LEVELS)[number];

export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof STAGES)[number];

/** What is recorded of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

/** For a request whose authentication failed, the user has no name and no groups. */
export type AuditDecider = (request: AccessRequest) => AuditDecision;

/** The policy must be valid. */
export function createAuditDecider(policy: Policy): AuditDecider {
  const { omitStages = [], omitManagedFields = false } = policy;
  const rules = policy.rules.map((rule) => ({
    matches: compileRule(rule),
    decision: {
      level: rule.level as AuditLevel,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const unmatched: AuditDecision = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  return (request) => rules.find(({ matches }) => matches(request))?.decision ?? unmatched;
}

type Matches = (request: AccessRequest) => boolean;

function compileRule({ users, userGroups, verbs, namespaces, resources, nonResourceURLs }: PolicyRule): Matches {
  const conditions: Matches[] = [];
  if (isSet(users)) conditions.push(({ user }) => users.includes(user.name));
  if (isSet(userGroups)) conditions.push(({ user }) => user.groups.some((group) => userGroups.includes(group)));
  if (isSet(verbs)) conditions.push(({ verb }) => verbs.includes(verb));
  if (isSet(namespaces)) conditions.push((request) => request.isResource && namespaces.includes(request.namespace));
  if (isSet(resources)) conditions.push((request) => request.isResource && resources.some((each) => containsResource(each, request)));
  if (isSet(nonResourceURLs))
    conditions.push((request) => !request.isResource && nonResourceURLs.some((pattern) => pathMatches(pattern, request.path)));
  return (request) => conditions.every((holds) => holds(request));
}

const isSet = <T>(list: readonly T[] | undefined): list is readonly T[] => list !== undefined && list.length > 0;

function containsResource({ group = '', resources, resourceNames }: GroupResources, request: ResourceAccess): boolean {
  if (group !== '*' && group !== request.group) return false;
  if (!isSet(resources)) return true;
  if (isSet(resourceNames) && !resourceNames.includes(request.name)) return false;
  const { resource, subresource } = request;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) => each === full || each === '*' || (subresource !== '' && each === `*/${subresource}`) || each === `${resource}/*`,
  );
}

const pathMatches = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
