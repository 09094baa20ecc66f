/** The file of `--audit-policy-file`: Policy of audit/v1. Its rules and their messages are those of Kubernetes. */
import { checkDnsSubdomain } from '../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, invalidWhole, notSupported, required } from '../apimachinery/status/causes.ts';
import { FieldPath } from '../apimachinery/status/field-path.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import { PolicyShape } from '../apis/audit/v1/shapes.gen.ts';
import type { GroupResources, Policy, PolicyRule } from '../apis/audit/v1/types.gen.ts';
import type { FileKind } from '../config/files/typed-file.ts';
import { LEVELS, STAGES } from './policy.ts';

export const policyFileKind = (groupSuffix: string): FileKind<Policy> => ({
  apiVersion: `audit.${groupSuffix}/v1`,
  kind: 'Policy',
  shape: PolicyShape,
  causesOf,
});

function causesOf({ rules, omitStages }: Partial<Policy>): readonly StatusCause[] {
  const path = FieldPath.of('rules');
  if (rules === undefined || rules.length === 0) return [required(path, 'a policy without rules records nothing')];
  return [...stageCauses(omitStages, FieldPath.of('omitStages')), ...causesOfElements(path, rules, ruleCauses)];
}

function ruleCauses(rule: Partial<PolicyRule>, path: FieldPath): readonly StatusCause[] {
  const { level = '', nonResourceURLs = [], resources = [], namespaces = [], omitStages } = rule;
  const urls = path.child('nonResourceURLs');
  const isMixed = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelCauses(level, path.child('level')),
    ...causesOfElements(urls, nonResourceURLs, urlCauses),
    ...causesOfElements(path.child('resources'), resources, resourceCauses),
    ...stageCauses(omitStages, path.child('omitStages')),
    ...(isMixed ? [invalidWhole(urls, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

function levelCauses(level: string, path: FieldPath): readonly StatusCause[] {
  if (level === '') return [required(path)];
  return LEVELS.some((each) => each === level) ? [] : [notSupported(path, level, LEVELS)];
}

function urlCauses(url: string, path: FieldPath): readonly StatusCause[] {
  if (url === '*') return [];
  return [
    ...(url.startsWith('/') ? [] : [invalidValue(path, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [invalidValue(path, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourceCauses({ group = '', resources = [], resourceNames = [] }: GroupResources, path: FieldPath): readonly StatusCause[] {
  const errors = group === '' || group === '*' ? [] : checkDnsSubdomain(group);
  return [
    ...(errors.length > 0 ? [invalidValue(path.child('group'), group, errors.join(','))] : []),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [invalidWhole(path.child('resourceNames'), 'using resourceNames requires at least one resource')]
      : []),
  ];
}

const stageCauses = (stages: readonly string[] | undefined, path: FieldPath): readonly StatusCause[] =>
  causesOfElements(path, stages, (stage, at) =>
    STAGES.some((each) => each === stage) ? [] : [invalidValue(at, stage, `allowed stages are ${STAGES.join(',')}`)],
  );
