/** Drops fields of disabled features unless the stored object has them. */
import type { Unchecked } from '../../../define-strategy.ts';
import type { RuleContext } from '../../../rule-context.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import type { VolumeAttachment, VolumeAttachmentStatus, VolumeError } from './types.gen.ts';

type UncheckedAttachment = Unchecked<VolumeAttachment>;
type UncheckedAttachmentStatus = Unchecked<VolumeAttachmentStatus>;

/** Returns the same object if nothing is dropped. `stored`: undefined on create. */
export function dropDisabledFields(
  object: UncheckedAttachment,
  stored: UncheckedAttachment | undefined,
  { features }: RuleContext,
): UncheckedAttachment {
  const keepsInline = features.isEnabled('CSIMigration') || stored?.spec?.source?.inlineVolumeSpec !== undefined;
  const keepsCodes = features.isEnabled('MutableCSINodeAllocatableCount') || hasErrorCode(stored?.status);
  return withMembers(object, {
    spec: keepsInline ? object.spec : ifGiven(object.spec, withoutInlineVolume),
    status: keepsCodes ? object.status : ifGiven(object.status, withoutErrorCodes),
  });
}

const withoutInlineVolume = (spec: NonNullable<UncheckedAttachment['spec']>) =>
  withMembers(spec, { source: ifGiven(spec.source, (source) => withMembers(source, { inlineVolumeSpec: undefined })) });

const hasErrorCode = ({ attachError, detachError }: UncheckedAttachmentStatus = {}): boolean =>
  attachError?.errorCode !== undefined || detachError?.errorCode !== undefined;

const withoutErrorCodes = (status: UncheckedAttachmentStatus): UncheckedAttachmentStatus =>
  withMembers(status, {
    attachError: ifGiven(status.attachError, withoutErrorCode),
    detachError: ifGiven(status.detachError, withoutErrorCode),
  });

const withoutErrorCode = (error: Unchecked<VolumeError>) => withMembers(error, { errorCode: undefined });
