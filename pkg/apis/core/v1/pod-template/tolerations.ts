import { checkLabelValue, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type { Toleration } from '../types.gen.ts';

const OPERATORS = ['Equal', 'Exists'];
/** Operators for numeric comparison. Kubernetes 1.36 accepts them only with a feature gate that is off by default. */
const NUMERIC_OPERATORS = ['Lt', 'Gt'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** `path`: that of the list. */
export const validateTolerations = (tolerations: readonly Unchecked<Toleration>[] | undefined, path: FieldPath): readonly StatusCause[] =>
  causesOfElements(path, tolerations, tolerationCauses);

function tolerationCauses(toleration: Unchecked<Toleration>, path: FieldPath): readonly StatusCause[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const causes: StatusCause[] = [...optionalNameCauses(key, path, 'key', checkQualifiedName)];
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.push(invalidValue(path.child('operator'), operator, why));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    causes.push(invalidValue(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  causes.push(...operatorCauses(operator, value, path));
  return [...causes, ...choiceCauses(effect || undefined, path, 'effect', EFFECTS)];
}

/** Causes for the value have the path of the operator. */
function operatorCauses(operator: string, value: string, path: FieldPath): readonly StatusCause[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const wrong = checkLabelValue(value);
      return wrong.length === 0 ? NO_CAUSES : [invalidValue(path.child('operator'), value, wrong.join(';'))];
    }
    case 'Exists':
      return value === '' ? NO_CAUSES : [invalidValue(path.child('operator'), value, "value must be empty when `operator` is 'Exists'")];
    default: {
      const known = NUMERIC_OPERATORS.includes(operator) ? [...OPERATORS, ...NUMERIC_OPERATORS] : OPERATORS;
      return [notSupported(path.child('operator'), operator, known)];
    }
  }
}
