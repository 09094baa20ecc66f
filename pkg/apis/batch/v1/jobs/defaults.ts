import type { Unchecked } from '../../../define-strategy.ts';
import { withMembers } from '../../../with-members.ts';
import { withPartDefaults } from '../job-spec-defaults.ts';
import type { JobSpec } from '../types.gen.ts';
import type { Job } from './types.gen.ts';

/** Failures of single indexes are limited instead. */
const NO_BACKOFF_LIMIT = 2_147_483_647;

/** Returns the same object if no default applies. `specDefaults` may cache its result. */
export function applyDefaults(object: Unchecked<Job>, specDefaults = withSpecDefaults): Unchecked<Job> {
  const spec = specDefaults(object.spec ?? {});
  return withPodLabels(withMembers(object, { spec }));
}

export const withSpecDefaults = (spec: Unchecked<JobSpec>): Unchecked<JobSpec> =>
  withPartDefaults(
    withMembers(spec, {
      completions: spec.completions ?? (spec.parallelism === undefined ? 1 : undefined),
      parallelism: spec.parallelism ?? 1,
      backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? 6 : NO_BACKOFF_LIMIT),
      completionMode: spec.completionMode ?? 'NonIndexed',
      suspend: spec.suspend ?? false,
      podReplacementPolicy: spec.podReplacementPolicy ?? (spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'),
      manualSelector: spec.manualSelector ?? false,
    }),
  );

/** A Job without labels has those of its pods, in one object: they stay the same when others are added on create. */
export function withPodLabels(object: Unchecked<Job>): Unchecked<Job> {
  const podLabels = object.spec?.template?.metadata?.labels;
  const { labels } = object.metadata ?? {};
  if (podLabels === undefined || (labels !== undefined && Object.keys(labels).length > 0)) return object;
  return withMembers(object, { metadata: { ...object.metadata, labels: podLabels } });
}

/** Whether the labels of a Job are those of its pods, by default. */
export const hasPodLabels = ({ metadata, spec }: Unchecked<Job>): boolean =>
  metadata?.labels !== undefined && metadata.labels === spec?.template?.metadata?.labels;
