/** The rules of a volume inside the attachment: a PersistentVolumeSpec of which only some fields are allowed. */
import { forbidden, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { accessModeCauses } from '../../../core/v1/volumes/access-modes.ts';
import { validatePersistentVolumeSource } from '../../../core/v1/volumes/persistent-volume-source.ts';
import type { PersistentVolumeSpec } from '../../../core/v1/types.gen.ts';
import type { Unchecked } from '../../../define-strategy.ts';

const INLINE = 'in the context of inline volumes';

/** `path`: that of `inlineVolumeSpec`. */
export function validateInlineVolume(spec: Unchecked<PersistentVolumeSpec>, path: FieldPath): readonly StatusCause[] {
  const { capacity = {}, accessModes = [], persistentVolumeReclaimPolicy: reclaimPolicy = '', storageClassName = '', volumeMode } = spec;
  const absent = (field: string, isAbsent: boolean) =>
    isAbsent ? NO_CAUSES : [forbidden(path.child(field), `may not be specified ${INLINE}`)];
  const sourceCauses = validatePersistentVolumeSource(spec, path);
  // Only if `local` is the source: as an additional source it is already refused.
  const localPath = path.child('local').toString();
  const isLocal =
    spec.local !== undefined && !sourceCauses.some(({ field, reason }) => field === localPath && reason === 'FieldValueForbidden');
  const modes = accessModes.length === 0 ? [required(path.child('accessModes'))] : accessModeCauses(accessModes, path);
  return [
    ...absent('claimRef', spec.claimRef === undefined),
    ...absent('capacity', Object.keys(capacity).length === 0),
    ...(spec.csi === undefined ? [required(path.child('csi'), `has to be specified ${INLINE}`)] : NO_CAUSES),
    ...modes,
    ...(reclaimPolicy === '' || reclaimPolicy === 'Retain'
      ? NO_CAUSES
      : [forbidden(path.child('persistentVolumeReclaimPolicy'), `may only be Retain ${INLINE}`)]),
    ...absent('nodeAffinity', spec.nodeAffinity === undefined),
    ...sourceCauses,
    ...(isLocal ? [required(path.child('nodeAffinity'), 'Local volume requires node affinity')] : NO_CAUSES),
    ...absent('storageClassName', storageClassName === ''),
    ...(volumeMode === undefined || volumeMode === 'Filesystem'
      ? NO_CAUSES
      : [forbidden(path.child('volumeMode'), `may not specify volumeMode other than Filesystem ${INLINE}`)]),
  ];
}
