/** The rules of an attachment's spec and status. The strategy checks that the spec does not change. */
import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { forbidden, invalidValue, NO_CAUSES, required, tooLong } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { validateCsiDriverName } from '../../../core/v1/volumes/csi.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import { validateInlineVolume } from './inline-volume.ts';
import type { VolumeAttachmentSource, VolumeAttachmentSpec, VolumeAttachmentStatus, VolumeError } from './types.gen.ts';

type UncheckedSpec = Unchecked<VolumeAttachmentSpec>;
type UncheckedSource = Unchecked<VolumeAttachmentSource>;

const MAX_METADATA_BYTES = 262_144;
const MAX_MESSAGE_BYTES = 1024;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** Checked on create and on every update, including writes to `/status`. */
export function validateSpec({ attacher, source = {}, nodeName = '' }: UncheckedSpec, path: FieldPath): readonly StatusCause[] {
  const { persistentVolumeName: volume } = source;
  const sourcePath = path.child('source');
  return [
    ...validateCsiDriverName(attacher, path.child('attacher')),
    ...sourceCauses(source, sourcePath),
    ...(volume === undefined ? NO_CAUSES : nameCauses(volume, sourcePath.child('persistentVolumeName'), checkDnsSubdomain)),
    ...nameCauses(nodeName, path.child('nodeName'), checkDnsSubdomain),
  ];
}

function sourceCauses({ persistentVolumeName, inlineVolumeSpec }: UncheckedSource, path: FieldPath): readonly StatusCause[] {
  if (inlineVolumeSpec !== undefined) {
    if (persistentVolumeName !== undefined) return [forbidden(path, ONE_SOURCE)];
    return validateInlineVolume(inlineVolumeSpec, path.child('inlineVolumeSpec'));
  }
  if (persistentVolumeName === undefined) return [required(path, ONE_SOURCE)];
  return persistentVolumeName === ''
    ? [required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')]
    : NO_CAUSES;
}

export const validateStatus = (status: Unchecked<VolumeAttachmentStatus> | undefined, path: FieldPath): readonly StatusCause[] =>
  status === undefined
    ? NO_CAUSES
    : [
        ...(bytesOf(status.attachmentMetadata) > MAX_METADATA_BYTES
          ? [tooLong(path.child('attachmentMetadata'), MAX_METADATA_BYTES)]
          : NO_CAUSES),
        ...volumeErrorCauses(status.attachError, path, 'attachError'),
        ...volumeErrorCauses(status.detachError, path, 'detachError'),
      ];

function volumeErrorCauses(error: Unchecked<VolumeError> | undefined, path: FieldPath, field: string): readonly StatusCause[] {
  if (error === undefined) return NO_CAUSES;
  const { message = '', errorCode = 0 } = error;
  const at = path.child(field);
  return [
    ...(Buffer.byteLength(message) > MAX_MESSAGE_BYTES ? [tooLong(at.child('message'), MAX_MESSAGE_BYTES)] : NO_CAUSES),
    ...(errorCode < 0 ? [invalidValue(at.child('errorCode'), errorCode, 'must be between 0 and 2147483647, inclusive')] : NO_CAUSES),
  ];
}

/** The total length of keys and values. */
function bytesOf(texts: Readonly<Record<string, string>> = {}): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(texts)) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  return bytes;
}
