import { invalidValue } from '../../../../apimachinery/status/causes.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import { VolumeAttachmentSpecShape } from './shapes.gen.ts';
import type { VolumeAttachment } from './types.gen.ts';

export const strategy = defineStrategy<VolumeAttachment>({
  // The status belongs to the external attacher, on whichever path it writes; who may do so is a question of permissions.
  status: { resetOnCreate: true, keptByMainUpdate: false, keptByStatusUpdate: 'spec-and-metadata' },
  deleteReturnsObject: true,
  validateUpdate: (object, stored) =>
    equalByShape(VolumeAttachmentSpecShape, object.spec, stored.spec) ? [] : [invalidValue('spec', 'object', 'field is immutable')],
});
