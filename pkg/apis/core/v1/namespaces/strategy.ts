import { checkDnsLabel, checkLabelValue, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { isStandardFinalizer, NOT_A_STANDARD_FINALIZER } from '../../../../apimachinery/meta/object-meta.ts';
import { causesOfEach, causesOfElements, invalidValue, invalidWord, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { withMembers } from '../../../with-members.ts';
import { ACTIVE, CONTENT_FINALIZER, NAME_LABEL, TERMINATING } from './names.ts';
import type { Namespace } from './types.gen.ts';

type UncheckedNamespace = Unchecked<Namespace>;

const FINALIZERS = FieldPath.of('spec').child('finalizers');
/** Kubernetes spells it with a capital letter. */
const PHASE = FieldPath.of('status').child('Phase');

export const strategy = defineStrategy<Namespace>({
  checkName: checkDnsLabel,
  unconditionalUpdate: true,
  deleteReturnsObject: true,
  status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec' },
  subresources: {
    finalize: {
      resets: ['status'],
      validateUpdate: (namespace) => causesOfElements(FINALIZERS, finalizersOf(namespace), finalizerCauses),
    },
  },
  termination: {
    begin: (namespace) => ({ ...namespace, status: { ...namespace.status, phase: TERMINATING } }),
    isHeld: (namespace) => finalizersOf(namespace).length > 0,
  },
  applyDefaults: (namespace) =>
    withMembers(withNameLabel(namespace), { status: withMembers(namespace.status ?? {}, { phase: namespace.status?.phase || ACTIVE }) }),
  prepareForCreate: (namespace) => {
    const finalizers = finalizersOf(namespace);
    return {
      // The defaults did not know a generated name. One that is refused needs no label, which would be refused too.
      ...(checkDnsLabel(namespace.metadata?.name ?? '').length === 0 && !hasWrongLabel(namespace) ? withNameLabel(namespace) : namespace),
      spec: { ...namespace.spec, finalizers: finalizers.includes(CONTENT_FINALIZER) ? finalizers : [...finalizers, CONTENT_FINALIZER] },
      status: { phase: ACTIVE },
    };
  },
  prepareForUpdate: (namespace, stored) =>
    withMembers(namespace, { spec: withMembers(namespace.spec ?? {}, { finalizers: stored.spec?.finalizers }) }),
  validateCreate: specCauses,
  validateUpdate: (namespace) => [...generateNameCauses(namespace, checkDnsLabel), ...specCauses(namespace)],
  validateStatusUpdate: phaseCauses,
  selectsNamespace: false,
  selectableFields: {
    'status.phase': ({ status }) => status?.phase ?? '',
  },
});

const finalizersOf = ({ spec }: UncheckedNamespace): readonly string[] => spec?.finalizers ?? [];

/** Labels are checked as they were sent. */
const hasWrongLabel = ({ metadata }: UncheckedNamespace): boolean => checkLabelValue(metadata?.labels?.[NAME_LABEL] ?? '').length > 0;

/** Selectors can name a namespace by this label, so it cannot be changed. */
function withNameLabel(namespace: UncheckedNamespace): UncheckedNamespace {
  const { metadata = {} } = namespace;
  const { name = '', labels } = metadata;
  if (name === '' || labels?.[NAME_LABEL] === name) return namespace;
  return { ...namespace, metadata: { ...metadata, labels: { ...labels, [NAME_LABEL]: name } } };
}

/** As in Kubernetes, the causes name the whole list. */
function specCauses(namespace: UncheckedNamespace): readonly StatusCause[] {
  return causesOfEach(finalizersOf(namespace), (finalizer) => finalizerCauses(finalizer, FINALIZERS));
}

function finalizerCauses(finalizer: string, path: FieldPath): readonly StatusCause[] {
  return [
    ...checkQualifiedName(finalizer).map((why) => invalidValue(path, finalizer, why)),
    ...(isStandardFinalizer(finalizer) ? NO_CAUSES : [invalidValue(path, finalizer, NOT_A_STANDARD_FINALIZER)]),
  ];
}

function phaseCauses({ metadata, status }: UncheckedNamespace): readonly StatusCause[] {
  const phase = status?.phase ?? '';
  const isDeleting = metadata?.deletionTimestamp !== undefined;
  if (phase === (isDeleting ? TERMINATING : ACTIVE)) return NO_CAUSES;
  const why = isDeleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidWord(PHASE, phase, why)];
}
