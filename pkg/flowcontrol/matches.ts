/** Which requests a FlowSchema is about. */
import type { FlowRule, FlowSchemaSpec, FlowSubject, FlowPathRule, FlowResourceRule } from './configuration.ts';

export interface FlowUser {
  readonly name: string;
  readonly groups: readonly string[];
}

export type FlowRequest =
  | {
      readonly isResource: true;
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
    }
  | { readonly isResource: false; readonly verb: string; readonly path: string };

/** `namespace` of a Namespace is its own name; empty: outside of namespaces. */
export type FlowMatcher = (user: FlowUser, request: FlowRequest, namespace: string) => boolean;

type Test<T> = (value: T) => boolean;

export function createMatcher({ rules = [] }: Pick<FlowSchemaSpec, 'rules'>): FlowMatcher {
  const matchers = rules.map(ruleMatcher);
  return (user, request, namespace) => {
    for (const matches of matchers) if (matches(user, request, namespace)) return true;
    return false;
  };
}

function ruleMatcher({ subjects, resourceRules = [], nonResourceRules = [] }: FlowRule): FlowMatcher {
  const subjectTests = subjects.map(subjectTest);
  const resourceTests = resourceRules.map(resourceTest);
  const pathTests = nonResourceRules.map(pathTest);
  return (user, request, namespace) => {
    if (!subjectTests.some((matches) => matches(user))) return false;
    return request.isResource
      ? resourceTests.some((matches) => matches(request, namespace))
      : pathTests.some((matches) => matches(request.verb, request.path));
  };
}

const SERVICE_ACCOUNT = 'system:serviceaccount:';

function subjectTest({ kind, user, group, serviceAccount }: FlowSubject): Test<FlowUser> {
  switch (kind) {
    case 'User': {
      if (user === undefined) return () => false;
      return user.name === '*' ? () => true : ({ name }) => name === user.name;
    }
    case 'Group': {
      if (group === undefined) return () => false;
      return group.name === '*' ? () => true : ({ groups }) => groups.includes(group.name);
    }
    case 'ServiceAccount': {
      if (serviceAccount === undefined) return () => false;
      const prefix = `${SERVICE_ACCOUNT}${serviceAccount.namespace}:`;
      const full = prefix + serviceAccount.name;
      return serviceAccount.name === '*' ? ({ name }) => name.startsWith(prefix) : ({ name }) => name === full;
    }
    default:
      return () => false;
  }
}

type ResourceFlowRequest = Extract<FlowRequest, { isResource: true }>;

function resourceTest(rule: FlowResourceRule): (request: ResourceFlowRequest, namespace: string) => boolean {
  const verbs = listTest(rule.verbs);
  const groups = listTest(rule.apiGroups);
  const resources = listTest(rule.resources);
  const namespaces = listTest(rule.namespaces ?? []);
  const clusterScope = rule.clusterScope === true;
  return ({ verb, group, resource, subresource }, namespace) =>
    verbs(verb) &&
    resources(subresource === '' ? resource : `${resource}/${subresource}`) &&
    groups(group) &&
    (namespace === '' ? clusterScope : namespaces(namespace));
}

function pathTest({ verbs, nonResourceURLs }: FlowPathRule): (verb: string, path: string) => boolean {
  const verbTest = listTest(verbs);
  const paths = nonResourceURLs.map(urlTest);
  return (verb, path) => verbTest(verb) && paths.some((matches) => matches(path));
}

/** As in Kubernetes, a path stands for all below it, with and without a star. */
function urlTest(url: string): Test<string> {
  if (url === '*') return () => true;
  const start = url.endsWith('*') ? url.slice(0, -1) : url;
  const prefix = start.endsWith('/') ? start : `${start}/`;
  return (path) => path === url || path.startsWith(prefix);
}

const listTest = (list: readonly string[]): Test<string> =>
  list.length === 1 && list[0] === '*' ? () => true : (value) => list.includes(value);
