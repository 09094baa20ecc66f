import { checkPathSegment } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, required } from '../../../../apimachinery/status/causes.ts';
import { labelSelectorAsSelector } from '../../../../apimachinery/selectors/label-selector-as-selector.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { hasInvalidValues, validateLabelSelector, type LabelSelectorOptions } from '../../../meta/v1/label-selector.ts';
import { policyRuleCauses } from '../rule-causes.ts';
import type { AggregationRule, ClusterRole } from './types.gen.ts';

type UncheckedRole = Unchecked<ClusterRole>;

const SELECTORS = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

const causesOf = ({ rules, aggregationRule }: UncheckedRole, options: LabelSelectorOptions = {}): readonly StatusCause[] => [
  ...policyRuleCauses(rules, 'cluster'),
  ...(aggregationRule === undefined ? [] : aggregationCauses(aggregationRule, options)),
];

function aggregationCauses({ clusterRoleSelectors = [] }: Unchecked<AggregationRule>, options: LabelSelectorOptions) {
  if (clusterRoleSelectors.length === 0)
    return [required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  // Kubernetes reads each selector after it has validated it, and refuses it twice.
  return causesOfElements(SELECTORS, clusterRoleSelectors, (selector, path) => [
    ...validateLabelSelector(selector, path, options),
    ...(labelSelectorAsSelector(selector).causes === undefined ? [] : [invalidValue(path, null, 'invalid label selector.')]),
  ]);
}

const hasInvalidSelector = ({ aggregationRule }: UncheckedRole): boolean =>
  (aggregationRule?.clusterRoleSelectors ?? []).some((selector) => hasInvalidValues(selector));

export const strategy = defineStrategy<ClusterRole>({
  checkName: checkPathSegment,
  updateCreates: true,
  unconditionalUpdate: true,
  validateCreate: (object) => causesOf(object),
  validateUpdate: (object, stored) => causesOf(object, { allowInvalidValues: hasInvalidSelector(stored) }),
});
