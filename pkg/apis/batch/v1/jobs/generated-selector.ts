/** The selector that the server makes for a Job, and the labels that its pods get for it. */
import { labelSelectorAsSelector } from '../../../../apimachinery/selectors/label-selector-as-selector.ts';
import { invalidWhole, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { withMembers } from '../../../with-members.ts';
import { hasPodLabels } from './defaults.ts';
import type { Job } from './types.gen.ts';

type PodLabels = Readonly<Record<string, string>>;

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';
/** The names before Kubernetes 1.27, which Jobs still have. */
const LEGACY_CONTROLLER_UID = 'controller-uid';
const LEGACY_JOB_NAME = 'job-name';

const SPEC = FieldPath.of('spec');
const POD_LABELS = SPEC.child('template', 'metadata', 'labels');

/** Adds the labels and the selector by uid. Those that were sent stay; the rules compare them. */
export function withGeneratedSelector(job: Unchecked<Job>): Unchecked<Job> {
  const { metadata: { name = '', uid = '' } = {}, spec = {} } = job;
  if (spec.manualSelector === true) return job;
  const { selector = {}, template = {} } = spec;
  const labels = { ...generatedLabels(name, uid), ...template.metadata?.labels };
  return withMembers(job, {
    ...(hasPodLabels(job) ? { metadata: { ...job.metadata, labels } } : {}),
    spec: withMembers(spec, {
      selector: withMembers(selector, { matchLabels: { [CONTROLLER_UID]: uid, ...selector.matchLabels } }),
      template: withMembers(template, { metadata: { ...template.metadata, labels } }),
    }),
  });
}

const generatedLabels = (name: string, uid: string): PodLabels => ({
  [CONTROLLER_UID]: uid,
  [JOB_NAME]: name,
  [LEGACY_CONTROLLER_UID]: uid,
  [LEGACY_JOB_NAME]: name,
});

/** Whether the pods have the labels with a prefix. Jobs that were stored without them need none. */
export const hasPrefixedLabels = (job: Unchecked<Job>): boolean => {
  const labels = job.spec?.template?.metadata?.labels;
  return has(labels, JOB_NAME) && has(labels, CONTROLLER_UID);
};

/** Without a selector, which is a separate cause, there is nothing to compare. */
export function generatedSelectorCauses(job: Unchecked<Job>, needsPrefixedLabels: boolean): readonly StatusCause[] {
  const { metadata: { name = '', uid = '' } = {}, spec: { selector, manualSelector, template } = {} } = job;
  if (manualSelector === true || selector === undefined) return NO_CAUSES;
  const all = generatedLabels(name, uid);
  const expected = Object.entries(all).filter(([key]) => needsPrefixedLabels || !key.includes('/'));
  const labels = template?.metadata?.labels;
  const causes = expected.flatMap(([key, value]) => labelCauses(labels, key, value));
  const read = labelSelectorAsSelector(selector);
  if (read.selector?.matches(Object.fromEntries(expected)) === false) {
    causes.push(invalidWhole(SPEC.child('selector'), '`selector` not auto-generated'));
  }
  return causes;
}

function labelCauses(labels: PodLabels | undefined, key: string, value: string): readonly StatusCause[] {
  if (has(labels, key) && labels?.[key] === value) return NO_CAUSES;
  const at = POD_LABELS.key(key);
  const detail = `must be '${value}'`;
  return [has(labels, key) ? invalidWhole(at, detail) : required(at, detail)];
}

const has = (labels: PodLabels | undefined, key: string): boolean => labels !== undefined && Object.hasOwn(labels, key);
