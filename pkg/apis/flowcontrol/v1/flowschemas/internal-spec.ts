/** A spec as Kubernetes' internal type: names of Go, and every field present. */
import type { JsonValue } from '../../../../apimachinery/json/json-value.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { FlowSchemaSpec, NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from './types.gen.ts';

export const toInternalSpec = (spec: Unchecked<FlowSchemaSpec>): JsonValue => ({
  PriorityLevelConfiguration: { Name: spec.priorityLevelConfiguration?.name ?? '' },
  MatchingPrecedence: spec.matchingPrecedence ?? 0,
  DistinguisherMethod: orNull(spec.distinguisherMethod, ({ type = '' }) => ({ Type: type })),
  Rules: listOf(spec.rules, toRule),
});

const toRule = ({ subjects, resourceRules, nonResourceRules }: Unchecked<PolicyRulesWithSubjects>): JsonValue => ({
  Subjects: listOf(subjects, toSubject),
  ResourceRules: listOf(resourceRules, toResourceRule),
  NonResourceRules: listOf(nonResourceRules, toNonResourceRule),
});

const toSubject = ({ kind = '', user, group, serviceAccount }: Unchecked<Subject>): JsonValue => ({
  Kind: kind,
  User: orNull(user, ({ name = '' }) => ({ Name: name })),
  Group: orNull(group, ({ name = '' }) => ({ Name: name })),
  ServiceAccount: orNull(serviceAccount, ({ namespace = '', name = '' }) => ({ Namespace: namespace, Name: name })),
});

const toResourceRule = ({ verbs, apiGroups, resources, clusterScope = false, namespaces }: Unchecked<ResourcePolicyRule>): JsonValue => ({
  Verbs: verbs ?? null,
  APIGroups: apiGroups ?? null,
  Resources: resources ?? null,
  ClusterScope: clusterScope,
  Namespaces: namespaces ?? null,
});

const toNonResourceRule = ({ verbs, nonResourceURLs }: Unchecked<NonResourcePolicyRule>): JsonValue => ({
  Verbs: verbs ?? null,
  NonResourceURLs: nonResourceURLs ?? null,
});

const orNull = <T>(value: T | undefined, to: (value: T) => JsonValue): JsonValue => (value === undefined ? null : to(value));
const listOf = <T>(list: readonly T[] | undefined, to: (element: T) => JsonValue): JsonValue =>
  orNull(list, (elements) => elements.map(to));
