import { describe, expect, it } from '@jest/globals';
import type { Unchecked } from '../../../define-strategy.ts';
import type { JobSpec } from '../types.gen.ts';
import { applyDefaults } from './defaults.ts';
import type { Job } from './types.gen.ts';

const EMPTY_POD = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const DEFAULTS: Unchecked<JobSpec> = {
  parallelism: 1,
  completions: 1,
  backoffLimit: 6,
  completionMode: 'NonIndexed',
  suspend: false,
  podReplacementPolicy: 'TerminatingOrFailed',
  manualSelector: false,
  template: { spec: EMPTY_POD },
};
const job = (spec?: Unchecked<JobSpec>): Unchecked<Job> => ({ metadata: { name: 'a' }, ...(spec === undefined ? {} : { spec }) });

describe('A Job', () => {
  it.each([
    ['no spec', undefined],
    ['an empty spec', {}],
    ['an empty template', { template: {} }],
  ])('gets its defaults down to the pod when it has %s', (_, spec) => expect(applyDefaults(job(spec))).toEqual(job(DEFAULTS)));

  it('with a parallelism alone has no number of completions', () => {
    const { completions, ...others } = DEFAULTS;
    expect(completions).toBe(1);
    expect(applyDefaults(job({ parallelism: 3 })).spec).toEqual({ ...others, parallelism: 3 });
  });

  it.each<[Unchecked<JobSpec>, Unchecked<JobSpec>]>([
    [{ completions: 3 }, { completions: 3 }],
    [
      { completions: 0, parallelism: 0 },
      { completions: 0, parallelism: 0 },
    ],
    [{ backoffLimitPerIndex: 0 }, { backoffLimitPerIndex: 0, backoffLimit: 2_147_483_647 }],
    [
      { backoffLimitPerIndex: 1, backoffLimit: 2 },
      { backoffLimitPerIndex: 1, backoffLimit: 2 },
    ],
    [{ podFailurePolicy: {} }, { podFailurePolicy: {}, podReplacementPolicy: 'Failed' }],
    [{ completionMode: '' }, { completionMode: '' }],
    [
      { suspend: true, manualSelector: true },
      { suspend: true, manualSelector: true },
    ],
  ])('with %j has %j', (spec, expected) => expect(applyDefaults(job(spec)).spec).toEqual({ ...DEFAULTS, ...expected }));

  it('takes the status of a condition in its failure policy as True when it is absent or empty', () => {
    const rules = (...statuses: readonly (string | undefined)[]) => [
      { action: 'Ignore', onPodConditions: statuses.map((status) => ({ type: 'A', ...(status === undefined ? {} : { status }) })) },
    ];
    const { spec } = applyDefaults(job({ podFailurePolicy: { rules: rules(undefined, '', 'False') } }));
    expect(spec?.podFailurePolicy).toEqual({ rules: rules('True', 'True', 'False') });
  });

  it('without labels has those of its pods', () => {
    const labelsOf = (labels: Readonly<Record<string, string>> | undefined, pods: Readonly<Record<string, string>>) =>
      applyDefaults({ metadata: labels === undefined ? {} : { labels }, spec: { template: { metadata: { labels: pods } } } }).metadata
        ?.labels;
    expect(labelsOf(undefined, { app: 'a' })).toEqual({ app: 'a' });
    expect(labelsOf({}, { app: 'a' })).toEqual({ app: 'a' });
    expect(labelsOf({ own: 'b' }, { app: 'a' })).toEqual({ own: 'b' });
    expect(labelsOf(undefined, {})).toEqual({});
  });

  it('that has them all is not copied', () => {
    const complete = applyDefaults(job({ template: { metadata: { labels: { app: 'a' } } } }));
    expect(applyDefaults(complete)).toBe(complete);
  });
});
