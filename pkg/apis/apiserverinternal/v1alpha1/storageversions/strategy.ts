import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { checkStorageVersionName } from './name.ts';
import { validateStatus } from './rules.ts';
import type { StorageVersion } from './types.gen.ts';

const STATUS = FieldPath.of('status');

/** Not needed on create, which drops the status. */
const validateUpdate = ({ status }: Unchecked<StorageVersion>): readonly StatusCause[] => validateStatus(status, STATUS);

export const strategy = defineStrategy<StorageVersion>({
  checkName: checkStorageVersionName,
  checkGenerateName: checkStorageVersionName,
  checksStandardFinalizers: 'on-create',
  validateUpdate,
  validateStatusUpdate: validateUpdate,
  // The specification allows API servers to report their versions through the main path as well.
  status: { resetOnCreate: true, resetOnUpdate: false, resetOnStatusUpdate: 'spec-and-metadata' },
});
