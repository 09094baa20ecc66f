/** Warnings for an accepted Job. */
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { warnOfJobSpec, warnOfPodNames } from '../job-spec-warnings.ts';
import type { Job } from './types.gen.ts';

const SPEC = FieldPath.of('spec');

export const warnOnCreate = ({ metadata, spec = {} }: Unchecked<Job>): readonly string[] => [
  ...warnOfPodNames(metadata?.name),
  ...warnOfJobSpec(spec, SPEC),
];

/** Warns only if the spec changed, which the generation shows. */
export const warnOnUpdate = ({ metadata, spec = {} }: Unchecked<Job>, stored: Unchecked<Job>): readonly string[] =>
  metadata?.generation === stored.metadata?.generation ? [] : warnOfJobSpec(spec, SPEC);
