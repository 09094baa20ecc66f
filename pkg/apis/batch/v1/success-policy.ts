/** The rules of an indexed Job's successPolicy. */
import { causesOfElements, invalidValue, NO_CAUSES, required, tooLong, tooMany } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { nonNegativeCauses } from '../../meta/v1/integer-causes.ts';
import { countIndexes } from './index-intervals.ts';
import type { SuccessPolicy, SuccessPolicyRule } from './types.gen.ts';

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 65_536;

/** `completions`: of the Job. If absent, which is a separate cause, rules that depend on it are skipped. */
export function validateSuccessPolicy(
  { rules = [] }: Unchecked<SuccessPolicy>,
  completions: number | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  const at = path.child('rules');
  if (rules.length === 0) return [required(at, 'at least one rules must be specified when the successPolicy is specified')];
  return [
    ...(rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : NO_CAUSES),
    ...causesOfElements(at, rules, (rule, ruleAt) => ruleCauses(rule, completions ?? Number.POSITIVE_INFINITY, ruleAt)),
  ];
}

function ruleCauses(rule: Unchecked<SuccessPolicyRule>, completions: number, path: FieldPath): readonly StatusCause[] {
  const { succeededIndexes, succeededCount } = rule;
  if (succeededIndexes === undefined && succeededCount === undefined) {
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const causes: StatusCause[] = [];
  let listed = Number.POSITIVE_INFINITY;
  if (succeededIndexes !== undefined) {
    const at = path.child('succeededIndexes');
    if (Buffer.byteLength(succeededIndexes) > MAX_INDEXES_BYTES) causes.push(tooLong(at, MAX_INDEXES_BYTES));
    const counted = countIndexes(succeededIndexes, completions);
    if (typeof counted === 'string') causes.push(invalidValue(at, succeededIndexes, `error parsing succeededIndexes: ${counted}`));
    // Invalid text lists no index.
    listed = typeof counted === 'string' ? 0 : counted;
  }
  if (succeededCount !== undefined) {
    const atMost = (max: number, what: string) => {
      if (succeededCount <= max) return;
      causes.push(invalidValue(path.child('succeededCount'), succeededCount, `must be less than or equal to ${max} (${what})`));
    };
    causes.push(...nonNegativeCauses(succeededCount, path, 'succeededCount'));
    atMost(completions, 'the number of specified completions');
    atMost(listed, 'the number of indexes in the specified succeededIndexes field');
  }
  return causes;
}
