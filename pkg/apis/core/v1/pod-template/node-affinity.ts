/** The rules of node affinity. */
import { checkDnsSubdomain, checkLabelValue, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { operatorCauses } from '../../../meta/v1/label-selector.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../types.gen.ts';
import { weightCauses } from './weight.ts';

export function validateNodeAffinity(affinity: Unchecked<NodeAffinity> | undefined, path: FieldPath): readonly StatusCause[] {
  if (affinity === undefined) return NO_CAUSES;
  const { requiredDuringSchedulingIgnoredDuringExecution: demanded, preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity;
  return [
    ...(demanded === undefined ? NO_CAUSES : validateNodeSelector(demanded, path.child('requiredDuringSchedulingIgnoredDuringExecution'))),
    ...causesOfElements(path.child('preferredDuringSchedulingIgnoredDuringExecution'), preferred, ({ weight = 0, preference = {} }, at) => [
      ...weightCauses(weight, at),
      // Values in preferences are not checked, because an invalid value just never matches.
      ...termCauses(preference, at.child('preference'), true),
    ]),
  ];
}

function validateNodeSelector({ nodeSelectorTerms = [] }: Unchecked<NodeSelector>, path: FieldPath): readonly StatusCause[] {
  const at = path.child('nodeSelectorTerms');
  if (nodeSelectorTerms.length === 0) return [required(at, 'must have at least one node selector term')];
  return causesOfElements(at, nodeSelectorTerms, (term, of) => termCauses(term, of, false));
}

const termCauses = (
  { matchExpressions, matchFields }: Unchecked<NodeSelectorTerm>,
  path: FieldPath,
  allowInvalidValues: boolean,
): readonly StatusCause[] => [
  ...causesOfElements(path.child('matchExpressions'), matchExpressions, (expression, at) =>
    expressionCauses(expression, at, allowInvalidValues),
  ),
  ...causesOfElements(path.child('matchFields'), matchFields, fieldCauses),
];

const expressionCauses = (
  { key = '', operator = '', values = [] }: Unchecked<NodeSelectorRequirement>,
  path: FieldPath,
  allowInvalidValues: boolean,
): readonly StatusCause[] => [
  ...nodeOperatorCauses(operator, values.length, path),
  ...nameCauses(key, path.child('key'), checkQualifiedName),
  ...(allowInvalidValues
    ? NO_CAUSES
    : causesOfElements(path.child('values'), values, (value, at) => nameCauses(value, at, checkLabelValue))),
];

function nodeOperatorCauses(operator: string, values: number, path: FieldPath): readonly StatusCause[] {
  if (operator !== 'Gt' && operator !== 'Lt') return operatorCauses(operator, values, path);
  return values === 1 ? NO_CAUSES : [required(path.child('values'), "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

/** The only field that can select a node is its name. */
function fieldCauses(
  { key = '', operator = '', values = [] }: Unchecked<NodeSelectorRequirement>,
  path: FieldPath,
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    causes.push(invalidValue(path.child('operator'), operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    causes.push(required(path.child('values'), why));
  }
  if (key !== 'metadata.name') return [...causes, invalidValue(path.child('key'), key, 'not a valid field selector key')];
  return [...causes, ...causesOfElements(path.child('values'), values, (name, at) => nameCauses(name, at, checkDnsSubdomain))];
}
