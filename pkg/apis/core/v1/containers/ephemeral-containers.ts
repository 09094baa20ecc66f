/** The rules of ephemeral containers: fields are forbidden that would make the pod depend on them. */
import { causesOfElements, forbidden, invalidValue, NO_CAUSES, notFoundValue } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { EphemeralContainer } from '../types.gen.ts';

const REFUSED = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const NOT_HERE = 'cannot be set for an Ephemeral Container';

/** `targets`: the names of the other containers. */
export function validateEphemeralContainer(
  container: Unchecked<EphemeralContainer>,
  path: FieldPath,
  targets: ReadonlySet<string>,
): readonly StatusCause[] {
  const { image = '', targetContainerName: target = '' } = container;
  return [
    ...(image.trim() === image ? NO_CAUSES : [invalidValue(path.child('image'), image, 'must not have leading or trailing whitespace')]),
    ...(target === '' || targets.has(target) ? NO_CAUSES : [notFoundValue(path.child('targetContainerName'), target)]),
    ...REFUSED.filter((field) => isSet(container, field)).map((field) => forbidden(path.child(field), NOT_HERE)),
    ...causesOfElements(path.child('volumeMounts'), container.volumeMounts, ({ subPath = '', subPathExpr = '' }, at) => [
      ...(subPath === '' ? NO_CAUSES : [forbidden(at.child('subPath'), NOT_HERE)]),
      ...(subPathExpr === '' ? NO_CAUSES : [forbidden(at.child('subPathExpr'), NOT_HERE)]),
    ]),
  ];
}

/** Empty lists count as absent, and so do empty `resources`, which are always filled in; other empty objects do not. */
function isSet(container: Unchecked<EphemeralContainer>, field: (typeof REFUSED)[number]): boolean {
  const value = container[field];
  if (value === undefined) return false;
  return Array.isArray(value) || field === 'resources' ? Object.keys(value).length > 0 : true;
}
