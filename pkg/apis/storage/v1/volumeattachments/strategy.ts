import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { invalidWhole, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { withPersistentVolumeSourceDefaults } from '../../../core/v1/pod-template-defaults/disks.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { validateSpec, validateStatus } from './rules.ts';
import { VolumeAttachmentSpecShape } from './shapes.gen.ts';
import type { VolumeAttachment } from './types.gen.ts';

type Attachment = Unchecked<VolumeAttachment>;

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

const withDefaults = (object: Attachment): Attachment =>
  withMembers(object, {
    spec: ifGiven(object.spec, (spec) =>
      withMembers(spec, {
        source: ifGiven(spec.source, (source) =>
          withMembers(source, { inlineVolumeSpec: ifGiven(source.inlineVolumeSpec, withPersistentVolumeSourceDefaults) }),
        ),
      }),
    ),
  });

/** Both paths may write the status, so both check it. */
const causesOfUpdate = (object: Attachment): readonly StatusCause[] => [
  ...generateNameCauses(object, checkDnsSubdomain),
  ...validateSpec(object.spec ?? {}, SPEC),
  ...validateStatus(object.status, STATUS),
];

export const strategy = defineStrategy<VolumeAttachment>({
  // The external attacher may write the status through either path; permissions decide who may.
  status: { resetOnCreate: true, resetOnUpdate: false, resetOnStatusUpdate: 'spec-and-metadata' },
  deleteReturnsObject: true,
  applyDefaults: withDefaults,
  dropDisabled: dropDisabledFields,
  validateCreate: ({ spec = {} }) => validateSpec(spec, SPEC),
  validateUpdate: (object, stored) => [
    ...causesOfUpdate(object),
    ...(equalByShape(VolumeAttachmentSpecShape, object.spec, stored.spec) ? NO_CAUSES : [invalidWhole(SPEC, 'field is immutable')]),
  ],
  validateStatusUpdate: causesOfUpdate,
});
