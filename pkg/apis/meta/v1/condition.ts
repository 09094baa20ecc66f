/** The rules of the list of Conditions in a status. */
import { checkQualifiedName } from '../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, invalidValue, NO_CAUSES, required, tooLong } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { choiceCauses } from './choice-causes.ts';
import { nameCauses } from './name-causes.ts';
import type { Condition } from './types.gen.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const MAX_REASON_BYTES = 1024;
const MAX_MESSAGE_BYTES = 32_768;

const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_RULE =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** `path`: that of the list. Types must be unique; a message may be empty. */
export function validateConditions(conditions: readonly Unchecked<Condition>[] | undefined, path: FieldPath): readonly StatusCause[] {
  if (conditions === undefined) return NO_CAUSES;
  const types = new Set<string>();
  return causesOfElements(path, conditions, (condition, at) => {
    const { type = '' } = condition;
    const causes = validateCondition(condition, at);
    if (types.has(type)) return [duplicateValue(at.child('type'), type), ...causes];
    types.add(type);
    return causes;
  });
}

const validateCondition = (condition: Unchecked<Condition>, path: FieldPath): readonly StatusCause[] => {
  const { type = '', status = '', observedGeneration, lastTransitionTime, reason = '', message = '' } = condition;
  return [
    ...nameCauses(type, path.child('type'), checkQualifiedName),
    ...choiceCauses(status, path, 'status', STATUSES),
    ...(Number(observedGeneration ?? 0) < 0
      ? [invalidValue(path.child('observedGeneration'), observedGeneration ?? 0, 'must be greater than or equal to zero')]
      : NO_CAUSES),
    ...(lastTransitionTime === undefined ? [required(path.child('lastTransitionTime'))] : NO_CAUSES),
    ...reasonCauses(reason, path.child('reason')),
    ...(Buffer.byteLength(message) > MAX_MESSAGE_BYTES ? [tooLong(path.child('message'), MAX_MESSAGE_BYTES)] : NO_CAUSES),
  ];
};

function reasonCauses(reason: string, path: FieldPath): readonly StatusCause[] {
  if (reason === '') return [required(path)];
  return [
    ...(REASON.test(reason) ? NO_CAUSES : [invalidValue(path, reason, REASON_RULE)]),
    ...(Buffer.byteLength(reason) > MAX_REASON_BYTES ? [tooLong(path, MAX_REASON_BYTES)] : NO_CAUSES),
  ];
}
