import { defineStrategy } from '../../../define-strategy.ts';
import type { StorageVersion } from './types.gen.ts';

export const strategy = defineStrategy<StorageVersion>({
  checksStandardFinalizers: 'on-create',
  // Each API server of a cluster reports its versions through the main path as well, which the specification provides for.
  status: { resetOnCreate: true, keptByMainUpdate: false, keptByStatusUpdate: 'spec-and-metadata' },
});
