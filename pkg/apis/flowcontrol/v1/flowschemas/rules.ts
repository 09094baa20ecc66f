import { checkDnsLabel, checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import {
  causesOfElements,
  forbidden,
  invalidValue,
  NO_CAUSES,
  notSupported,
  notSupportedStruct,
  required,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { FlowSchemaSpec, NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from './types.gen.ts';

const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const SUBJECT_KINDS = ['Group', 'ServiceAccount', 'User'];
/** In the order of the message. */
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const SUPPORTED_VERBS: ReadonlySet<string> = new Set(VERBS);

export function specCauses(name: string, spec: Unchecked<FlowSchemaSpec>, path: FieldPath): readonly StatusCause[] {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration: { name: level = '' } = {}, rules } = spec;
  const precedence = path.child('matchingPrecedence');
  const levelName = path.child('priorityLevelConfiguration', 'name');
  return [
    ...(matchingPrecedence <= 0 ? [invalidValue(precedence, matchingPrecedence, 'must be a positive value')] : []),
    ...(matchingPrecedence > MAX_PRECEDENCE
      ? [invalidValue(precedence, matchingPrecedence, `must not be greater than ${MAX_PRECEDENCE}`)]
      : []),
    ...(matchingPrecedence === 1 && name !== 'exempt'
      ? [invalidValue(precedence, matchingPrecedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...(distinguisherMethod === undefined ? [] : methodCauses(distinguisherMethod.type ?? '', path.child('distinguisherMethod', 'type'))),
    ...(level === '' ? [required(levelName, 'must reference a priority level')] : nameCauses(level, levelName, checkDnsSubdomain)),
    ...causesOfElements(path.child('rules'), rules, ruleCauses),
  ];
}

const methodCauses = (type: string, path: FieldPath): readonly StatusCause[] =>
  METHODS.includes(type) ? NO_CAUSES : [notSupportedStruct(path, { Type: type }, METHODS)];

function ruleCauses(rule: Unchecked<PolicyRulesWithSubjects>, path: FieldPath): readonly StatusCause[] {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule;
  const subjectsPath = path.child('subjects');
  return [
    ...(subjects.length === 0
      ? [required(subjectsPath, 'subjects must contain at least one value')]
      : causesOfElements(subjectsPath, subjects, subjectCauses)),
    ...(resourceRules.length === 0 && nonResourceRules.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...causesOfElements(path.child('resourceRules'), resourceRules, resourceRuleCauses),
    ...causesOfElements(path.child('nonResourceRules'), nonResourceRules, nonResourceRuleCauses),
  ];
}

function subjectCauses({ kind = '', user, group, serviceAccount }: Unchecked<Subject>, path: FieldPath): readonly StatusCause[] {
  const unlessAbsent = (value: unknown, field: string, why: string) => (value === undefined ? [] : [forbidden(path.child(field), why)]);
  const noUser = () => unlessAbsent(user, 'user', "user is forbidden when subject kind is not 'User'");
  const noGroup = () => unlessAbsent(group, 'group', "group is forbidden when subject kind is not 'Group'");
  const noServiceAccount = () =>
    unlessAbsent(serviceAccount, 'serviceAccount', "serviceAccount is forbidden when subject kind is not 'ServiceAccount'");
  switch (kind) {
    case 'ServiceAccount':
      return [...serviceAccountCauses(serviceAccount, path.child('serviceAccount')), ...noUser(), ...noGroup()];
    case 'User':
      return [
        ...namedCauses(user, path.child('user'), "user is required when subject kind is 'User'"),
        ...noServiceAccount(),
        ...noGroup(),
      ];
    case 'Group':
      return [
        ...namedCauses(group, path.child('group'), "group is required when subject kind is 'Group'"),
        ...noServiceAccount(),
        ...noUser(),
      ];
    default:
      return [notSupported(path.child('kind'), kind, SUBJECT_KINDS)];
  }
}

function namedCauses(subject: { readonly name?: string } | undefined, path: FieldPath, absent: string): readonly StatusCause[] {
  if (subject === undefined) return [required(path, absent)];
  return (subject.name ?? '') === '' ? [required(path.child('name'))] : NO_CAUSES;
}

function serviceAccountCauses(subject: Unchecked<Subject>['serviceAccount'], path: FieldPath): readonly StatusCause[] {
  if (subject === undefined) return [required(path, "serviceAccount is required when subject kind is 'ServiceAccount'")];
  const { name = '', namespace = '' } = subject;
  const namePath = path.child('name');
  const namespacePath = path.child('namespace');
  return [
    ...(name === '' ? [required(namePath)] : name === '*' ? [] : nameCauses(name, namePath, checkDnsSubdomain)),
    ...(namespace === ''
      ? [required(namespacePath, 'must specify namespace for service account')]
      : nameCauses(namespace, namespacePath, checkDnsLabel)),
  ];
}

function resourceRuleCauses(rule: Unchecked<ResourcePolicyRule>, path: FieldPath): readonly StatusCause[] {
  const { verbs, apiGroups = [], resources = [], clusterScope = false, namespaces = [] } = rule;
  const namespacesPath = path.child('namespaces');
  return [
    ...verbCauses(verbs, path.child('verbs')),
    ...wordCauses(apiGroups, path.child('apiGroups'), 'resource rules must supply at least one api group', 'api groups'),
    ...wordCauses(resources, path.child('resources'), 'resource rules must supply at least one resource', 'resources'),
    ...(namespaces.length === 0 && !clusterScope
      ? [required(namespacesPath, 'resource rules that are not cluster scoped must supply at least one namespace')]
      : namespaces.includes('*')
        ? aloneCauses(namespaces, namespacesPath, 'namespaces')
        : causesOfElements(namespacesPath, namespaces, namespaceCauses)),
  ];
}

const namespaceCauses = (namespace: string, path: FieldPath): readonly StatusCause[] =>
  checkDnsLabel(namespace).map((why) => invalidValue(path, namespace, `each member of this list must be '*' or a DNS-1123 label; ${why}`));

function nonResourceRuleCauses({ verbs, nonResourceURLs = [] }: Unchecked<NonResourcePolicyRule>, path: FieldPath): readonly StatusCause[] {
  const urls = path.child('nonResourceURLs');
  return [
    ...verbCauses(verbs, path.child('verbs')),
    ...(nonResourceURLs.length === 0
      ? [required(urls, 'nonResourceURLs must contain at least one value')]
      : nonResourceURLs.includes('*')
        ? aloneCauses(nonResourceURLs, urls, 'non-resource URLs')
        : causesOfElements(urls, nonResourceURLs, urlCauses)),
  ];
}

function verbCauses(verbs: readonly string[] = [], path: FieldPath): readonly StatusCause[] {
  if (verbs.length === 0) return [required(path, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return aloneCauses(verbs, path, 'verbs');
  return verbs.every((verb) => SUPPORTED_VERBS.has(verb)) ? NO_CAUSES : [notSupported(path, verbs, VERBS)];
}

const wordCauses = (words: readonly string[], path: FieldPath, absent: string, others: string): readonly StatusCause[] =>
  words.length === 0 ? [required(path, absent)] : words.includes('*') ? aloneCauses(words, path, others) : NO_CAUSES;

const aloneCauses = (words: readonly string[], path: FieldPath, others: string): readonly StatusCause[] =>
  words.length === 1 ? NO_CAUSES : [invalidValue(path, words, `if '*' is present, must not specify other ${others}`)];

function urlCauses(url: string, path: FieldPath): readonly StatusCause[] {
  const wrong = wrongUrl(url);
  return wrong === undefined ? NO_CAUSES : [invalidValue(path, url, wrong)];
}

function wrongUrl(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcard = url.indexOf('*');
  return wildcard === -1 || (wildcard === url.length - 1 && url.endsWith('/*')) ? undefined : 'wildcard can only do suffix matching';
}
