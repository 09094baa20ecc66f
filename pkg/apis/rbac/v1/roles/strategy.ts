import { checkPathSegment } from '../../../../apimachinery/meta/names.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { policyRuleCauses } from '../rule-causes.ts';
import type { Role } from './types.gen.ts';

const causesOf = ({ rules }: Unchecked<Role>) => policyRuleCauses(rules, 'namespaced');

export const strategy = defineStrategy<Role>({
  checkName: checkPathSegment,
  updateCreates: true,
  unconditionalUpdate: true,
  validateCreate: causesOf,
  validateUpdate: causesOf,
});
