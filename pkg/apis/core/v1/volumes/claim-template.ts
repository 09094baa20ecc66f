/** The rules of ephemeral volumes: the template and spec of the claim. */
import { checkDnsLabel, checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { annotationCauses, labelCauses } from '../../../../apimachinery/meta/object-meta.ts';
import { forbidden, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import { optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type { ObjectMeta } from '../../../meta/v1/types.gen.ts';
import type {
  EphemeralVolumeSource,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from '../types.gen.ts';
import { accessModeCauses } from './access-modes.ts';
import { missingCauses } from './missing-fields.ts';

const VOLUME_MODES = ['Block', 'Filesystem'];

export const validateEphemeral = ({ volumeClaimTemplate }: Unchecked<EphemeralVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  volumeClaimTemplate === undefined
    ? [required(path.child('volumeClaimTemplate'))]
    : templateCauses(volumeClaimTemplate, path.child('volumeClaimTemplate'));

const templateCauses = ({ metadata, spec = {} }: Unchecked<PersistentVolumeClaimTemplate>, path: FieldPath): readonly StatusCause[] => [
  ...(metadata === undefined ? NO_CAUSES : templateMetadataCauses(metadata, path.child('metadata'))),
  ...validateClaimSpec(spec, path.child('spec')),
];

/** Only labels and annotations are copied to the claim, so nothing else may be set. */
function templateMetadataCauses(metadata: Unchecked<ObjectMeta>, path: FieldPath): readonly StatusCause[] {
  const { annotations, labels, ...others } = metadata;
  const refused = Object.entries(others)
    .filter(([, value]) => value !== '' && value !== 0)
    // As in Kubernetes, the name is that of the Go field with a lower-case first letter.
    .map(([field]) => forbidden(path.child(field === 'uid' ? 'uID' : field), 'cannot be set'));
  return [
    ...(annotations === undefined ? NO_CAUSES : annotationCauses(annotations, path.child('annotations'))),
    ...(labels === undefined ? NO_CAUSES : labelCauses(labels, path.child('labels'))),
    ...refused,
  ];
}

function validateClaimSpec(spec: Unchecked<PersistentVolumeClaimSpec>, path: FieldPath): readonly StatusCause[] {
  const { accessModes = [], selector, volumeMode } = spec;
  return [
    ...(accessModes.length === 0 ? [required(path.child('accessModes'), 'at least 1 access mode is required')] : NO_CAUSES),
    ...(selector === undefined ? NO_CAUSES : validateLabelSelector(selector, path.child('selector'))),
    ...accessModeCauses(accessModes, path),
    ...storageCauses(spec.resources?.requests?.['storage'], path.child('resources').key('storage')),
    ...optionalNameCauses(spec.storageClassName, path, 'storageClassName', checkDnsSubdomain),
    ...choiceCauses(volumeMode, path, 'volumeMode', VOLUME_MODES),
    ...(spec.dataSource === undefined ? NO_CAUSES : dataSourceCauses(spec.dataSource, path.child('dataSource'))),
    ...(spec.dataSourceRef === undefined ? NO_CAUSES : dataSourceCauses(spec.dataSourceRef, path.child('dataSourceRef'))),
    ...twoDataSourcesCauses(spec, path),
    ...optionalNameCauses(spec.volumeAttributesClassName, path, 'volumeAttributesClassName', checkDnsSubdomain),
  ];
}

/** Quantities are canonical: zero is `0`, and only a negative one starts with a sign. */
function storageCauses(amount: string | undefined, path: FieldPath): readonly StatusCause[] {
  if (amount === undefined) return [required(path)];
  return amount === '0' || amount.startsWith('-') ? [invalidValue(path, amount, 'must be greater than zero')] : NO_CAUSES;
}

function dataSourceCauses(source: Unchecked<TypedObjectReference>, path: FieldPath): readonly StatusCause[] {
  const { apiGroup = '', kind = '' } = source;
  return [
    ...missingCauses(source, path, 'name', 'kind'),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : NO_CAUSES),
    ...optionalNameCauses(apiGroup, path, 'apiGroup', checkDnsSubdomain),
    ...optionalNameCauses(source.namespace, path, 'namespace', checkDnsLabel),
  ];
}

/** `dataSource` and `dataSourceRef` may both be set if they are equal. Only the second can name a namespace. */
function twoDataSourcesCauses(
  { dataSource, dataSourceRef }: Unchecked<PersistentVolumeClaimSpec>,
  path: FieldPath,
): readonly StatusCause[] {
  if (dataSource === undefined || dataSourceRef === undefined) return NO_CAUSES;
  const { namespace = '' } = dataSourceRef;
  if (namespace !== '') return [invalidValue(path, 'dataSource', 'may not be specified when dataSourceRef.namespace is specified')];
  const same =
    dataSource.apiGroup === dataSourceRef.apiGroup &&
    (dataSource.kind ?? '') === (dataSourceRef.kind ?? '') &&
    (dataSource.name ?? '') === (dataSourceRef.name ?? '');
  return same ? NO_CAUSES : [invalidValue(path, 'dataSource', 'must match dataSourceRef')];
}
