/** The rules of policy rules, which Roles and ClusterRoles share. */
import { causesOfElements, invalidValue, required } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import type { PolicyRule } from './types.gen.ts';

type UncheckedRule = Unchecked<PolicyRule>;

export const policyRuleCauses = (rules: readonly UncheckedRule[] | undefined, scope: 'namespaced' | 'cluster'): readonly StatusCause[] =>
  causesOfElements(FieldPath.of('rules'), rules, (rule, path) => ruleCauses(rule, path, scope));

function ruleCauses(rule: UncheckedRule, path: FieldPath, scope: 'namespaced' | 'cluster'): readonly StatusCause[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const noVerbs = verbs.length === 0 ? [required(path.child('verbs'), 'verbs must contain at least one value')] : [];
  if (nonResourceURLs.length > 0) {
    const urls = path.child('nonResourceURLs');
    const isMixed = apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0;
    return [
      ...noVerbs,
      ...(scope === 'namespaced' ? [invalidValue(urls, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(isMixed ? [invalidValue(urls, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
    ];
  }
  return [
    ...noVerbs,
    ...(apiGroups.length === 0 ? [required(path.child('apiGroups'), 'resource rules must supply at least one api group')] : []),
    ...(resources.length === 0 ? [required(path.child('resources'), 'resource rules must supply at least one resource')] : []),
  ];
}
