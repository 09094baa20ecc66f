import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { checkStorageVersionName } from './name.ts';
import { validateStatus } from './rules.ts';
import type { StorageVersion } from './types.gen.ts';

const STATUS = FieldPath.of('status');

/** A create is not asked: it drops the status. */
const validateUpdate = ({ status }: Unchecked<StorageVersion>): readonly StatusCause[] => validateStatus(status, STATUS);

export const strategy = defineStrategy<StorageVersion>({
  checkName: checkStorageVersionName,
  checksStandardFinalizers: 'on-create',
  validateUpdate,
  validateStatusUpdate: validateUpdate,
  // Each API server of a cluster reports its versions through the main path as well, which the specification provides
  // for.
  status: { resetOnCreate: true, resetOnUpdate: false, resetOnStatusUpdate: 'spec-and-metadata' },
});
