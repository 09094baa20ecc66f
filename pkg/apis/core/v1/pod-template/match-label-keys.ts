/** The rules of matchLabelKeys and mismatchLabelKeys, which narrow a label selector by the pod's own labels. */
import { checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, causesOfEach, forbidden, invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { LabelSelector } from '../../../meta/v1/types.gen.ts';

export interface KeyedSelector {
  readonly labelSelector?: Unchecked<LabelSelector>;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** `path`: that of the affinity term or constraint. */
export function validateMatchLabelKeys(keyed: KeyedSelector, path: FieldPath): readonly StatusCause[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = keyed;
  if (matchLabelKeys.length === 0 && mismatchLabelKeys.length === 0) return NO_CAUSES;
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...keyCauses(matchLabelKeys, labelSelector !== undefined, path.child('matchLabelKeys')),
    ...keyCauses(mismatchLabelKeys, labelSelector !== undefined, path.child('mismatchLabelKeys')),
    ...(labelSelector === undefined ? NO_CAUSES : selectedTwiceCauses(matchLabelKeys, labelSelector, path)),
    ...causesOfElements(path.child('matchLabelKeys'), matchLabelKeys, (key, at) =>
      mismatched.has(key) ? [invalidValue(at, key, 'exists in both matchLabelKeys and mismatchLabelKeys')] : NO_CAUSES,
    ),
  ];
}

function keyCauses(keys: readonly string[], hasSelector: boolean, path: FieldPath): readonly StatusCause[] {
  if (keys.length === 0) return NO_CAUSES;
  if (!hasSelector) return [forbidden(path, 'must not be specified when labelSelector is not set')];
  return causesOfElements(path, keys, (key, at) => nameCauses(key, at, checkQualifiedName));
}

/** Keys become expressions of the selector, so its own must not use the same keys. Paths are as in Kubernetes. */
function selectedTwiceCauses(
  matchLabelKeys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: Unchecked<LabelSelector>,
  path: FieldPath,
): readonly StatusCause[] {
  const indexes = new Map(matchLabelKeys.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(matchLabels));
  return causesOfEach(matchExpressions, ({ key = '' }) => {
    const index = selected.has(key) ? indexes.get(key) : undefined;
    selected.add(key);
    return index === undefined ? NO_CAUSES : [invalidValue(path.index(index), key, 'exists in both matchLabelKeys and labelSelector')];
  });
}
