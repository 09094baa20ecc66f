/** The rules of a Job. `status-rules.ts` has those of its status. */
import type { Features } from '../../../../apimachinery/features/features.ts';
import { checkAsPrefix, checkDnsLabel, checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { labelSelectorAsSelector } from '../../../../apimachinery/selectors/label-selector-as-selector.ts';
import { invalidValue, invalidWhole, invalidWord, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import { validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import { optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type { RuleContext } from '../../../rule-context.ts';
import { type UncheckedJobSpec, validateJobSpec } from '../job-spec.ts';
import { JobSpecShape } from '../shapes.gen.ts';
import { generatedSelectorCauses, hasPrefixedLabels } from './generated-selector.ts';
import { validateTemplateChanges } from './template-changes.ts';
import type { Job } from './types.gen.ts';

const METADATA = FieldPath.of('metadata');
const SPEC = FieldPath.of('spec');

/** Fields that no update may change. Completions and the template may change under conditions. */
const IMMUTABLE = ['selector', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

export const validateCreate = (job: Unchecked<Job>): readonly StatusCause[] => jobCauses(job, true);

export const validateUpdate = (job: Unchecked<Job>, stored: Unchecked<Job>, { features }: RuleContext): readonly StatusCause[] => [
  ...generateNameCauses(job.metadata?.generateName),
  ...jobCauses(job, hasPrefixedLabels(stored)),
  ...changeCauses(job.spec ?? {}, stored, features),
];

/** For most kinds only a create checks it. */
const generateNameCauses = (generateName: string | undefined): readonly StatusCause[] =>
  optionalNameCauses(generateName, METADATA, 'generateName', checkAsPrefix(checkDnsSubdomain));

const jobCauses = (job: Unchecked<Job>, needsPrefixedLabels: boolean): readonly StatusCause[] => [
  ...generatedSelectorCauses(job, needsPrefixedLabels),
  ...validateJobSpec(job.spec, SPEC),
  ...selectorCauses(job.spec ?? {}),
  ...hostNameCauses(job),
];

function selectorCauses({ selector, template }: UncheckedJobSpec): readonly StatusCause[] {
  const causes = [
    ...(selector === undefined ? [required(SPEC.child('selector'))] : validateLabelSelector(selector, SPEC.child('selector'))),
  ];
  // An absent selector selects nothing, so both causes are reported.
  if (labelSelectorAsSelector(selector).selector?.matches(template?.metadata?.labels) === false) {
    causes.push(invalidWhole(SPEC.child('template', 'metadata', 'labels'), '`selector` does not match template `labels`'));
  }
  return causes;
}

/** The host name of an indexed pod is the Job's name and the index. */
function hostNameCauses({
  metadata: { name = '' } = {},
  spec: { completionMode, completions = 0 } = {},
}: Unchecked<Job>): readonly StatusCause[] {
  if (completionMode !== 'Indexed' || completions <= 0) return NO_CAUSES;
  const longest = `${name}-${completions - 1}`;
  if (checkDnsLabel(longest).length === 0) return NO_CAUSES;
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function changeCauses(spec: UncheckedJobSpec, stored: Unchecked<Job>, features: Features): readonly StatusCause[] {
  const before = stored.spec ?? {};
  if (spec === before) return NO_CAUSES;
  const causes = [...completionsCauses(spec, before), ...validateTemplateChanges(spec.template, stored, features)];
  for (const name of IMMUTABLE) {
    if (!equalFields(name, spec, before)) causes.push(immutable(name, spec));
  }
  return causes;
}

/** An indexed Job may grow and shrink as long as all of its pods run at once. */
function completionsCauses(spec: UncheckedJobSpec, before: UncheckedJobSpec): readonly StatusCause[] {
  const { completionMode, completions, parallelism } = spec;
  if (completions === before.completions) return NO_CAUSES;
  if (completionMode !== 'Indexed') return [immutable('completions', spec)];
  // Absent completions are a separate cause.
  if (completions === undefined || completions === parallelism) return NO_CAUSES;
  return [invalidValue(SPEC.child('completions'), completions, 'can only be modified in tandem with spec.parallelism')];
}

function equalFields(name: (typeof IMMUTABLE)[number], spec: UncheckedJobSpec, before: UncheckedJobSpec): boolean {
  // All of them are pointers in Go, so an absent one differs from any other.
  if (spec[name] === undefined || before[name] === undefined) return spec[name] === before[name];
  const field = JobSpecShape.fields.find((each) => each.name === name);
  return field !== undefined && equalByShape(field.type, spec[name], before[name]);
}

function immutable(name: (typeof IMMUTABLE)[number] | 'completions', spec: UncheckedJobSpec): StatusCause {
  const [at, detail] = [SPEC.child(name), 'field is immutable'];
  const value = spec[name] ?? null;
  if (typeof value === 'object' && value !== null) return invalidWhole(at, detail);
  return typeof value === 'string' ? invalidWord(at, value, detail) : invalidValue(at, value, detail);
}
