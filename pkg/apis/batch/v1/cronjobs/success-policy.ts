/** The rules of an indexed Job's successPolicy. */
import {
  causesOfElements,
  invalidValue,
  invalidWhole,
  NO_CAUSES,
  required,
  tooLong,
  tooMany,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nonNegativeCauses } from '../../../meta/v1/integer-causes.ts';
import type { SuccessPolicy, SuccessPolicyRule } from './types.gen.ts';

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 65_536;
const INTEGER = /^\+?\d+$/;

/** `completions`: of the Job. If absent, which is a separate cause, rules that depend on it are skipped. */
export function validateSuccessPolicy(
  { rules = [] }: Unchecked<SuccessPolicy>,
  completions: number | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  const at = path.child('rules');
  if (rules.length === 0) return [required(at, 'at least one rule must be specified when the successPolicy is specified')];
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
    if (typeof counted === 'string') causes.push(wrongIndexes(at, succeededIndexes, counted));
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

/** Omits the value if it is too long. */
const wrongIndexes = (path: FieldPath, text: string, detail: string): StatusCause =>
  text.length > MAX_INDEXES_BYTES ? invalidWhole(path, detail) : invalidValue(path, text, detail);

/** The number of indexes in a text such as `0,2-5`, or a problem. Linear in its length. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let count = 0;
  let last = -1;
  for (const interval of text.split(',')) {
    const [firstText = '', endText, ...more] = interval.split('-');
    if (more.length > 0) return 'an interval has at most two parts separated by "-"';
    const [first, end] = [indexOf(firstText), indexOf(endText ?? firstText)];
    if (first === undefined || end === undefined) return 'an index is not an integer';
    if (end >= completions || first >= completions) return `an index is not below ${completions} (the number of specified completions)`;
    if (first <= last || (endText !== undefined && end <= first)) return 'indexes are not in increasing order';
    count += end - first + 1;
    last = end;
  }
  return count;
}

const indexOf = (text: string): number | undefined => {
  const index = INTEGER.test(text) ? Number(text) : undefined;
  return index === undefined || index > Number.MAX_SAFE_INTEGER ? undefined : index;
};
