import { describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { RuleContext } from '../../../rule-context.ts';
import { applyDefaults } from './defaults.ts';
import { validateUpdate } from './rules.ts';
import type { CronJob, CronJobSpec } from './types.gen.ts';
import { warnOnUpdate } from './warnings.ts';

// Values that a create refuses, but that an older server or time zone database may have accepted.
const context: RuleContext = { features: createFeatures(), timeZones: { isKnown: (name) => name === 'Europe/Rome' } };
const cronJob = (spec: Unchecked<CronJobSpec>, metadata: CronJob['metadata'] = { name: 'a' }): Unchecked<CronJob> =>
  applyDefaults({
    metadata,
    spec: {
      schedule: '@daily',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/work:1' }] } } },
      },
      ...spec,
    },
  });
const fieldsOf = (stored: Unchecked<CronJobSpec>, spec: Unchecked<CronJobSpec>) =>
  validateUpdate(cronJob(spec), cronJob(stored), context).map(({ field }) => field);

const ZONED = 'CRON_TZ=Europe/Rome @daily';

describe('An update of a CronJob', () => {
  it.each<[string, Unchecked<CronJobSpec>, Unchecked<CronJobSpec>, readonly string[]]>([
    ['keeps a zone in the schedule', { schedule: ZONED }, { schedule: ZONED }, []],
    ['changes a schedule that has one', { schedule: ZONED }, { schedule: 'TZ=Europe/Rome @hourly' }, []],
    ['may take it out', { schedule: ZONED }, { timeZone: 'Europe/Rome' }, []],
    ['must not bring it in', {}, { schedule: ZONED }, ['spec.schedule']],
    ['must not have a timeZone beside it', { schedule: ZONED }, { schedule: ZONED, timeZone: 'Europe/Rome' }, ['spec.schedule']],
    ['must not name an unknown one there', { schedule: ZONED }, { schedule: 'TZ=Moon @daily' }, ['spec.schedule']],
    ['keeps an unknown timeZone', { timeZone: 'Moon' }, { timeZone: 'Moon', schedule: '@hourly' }, []],
    ['keeps an empty timeZone', { timeZone: '' }, { timeZone: '' }, []],
    ['must not change it to another unknown one', { timeZone: 'Moon' }, { timeZone: 'Mars' }, ['spec.timeZone']],
    ['may take the timeZone away', { timeZone: 'Moon' }, {}, []],
    ['must not keep a schedule that does not parse', { schedule: 'daily' }, { schedule: 'daily' }, ['spec.schedule']],
    ['checks everything else', {}, { startingDeadlineSeconds: -1n }, ['spec.startingDeadlineSeconds']],
  ])('%s', (_, stored, spec, fields) => expect(fieldsOf(stored, spec)).toEqual(fields));

  it('keeps a name that is too long for a new one', () => {
    const named = cronJob({}, { name: 'a'.repeat(60) });
    expect(validateUpdate(named, named, context)).toEqual([]);
  });

  it('reads a stored object without a spec', () => {
    expect(validateUpdate(cronJob({ timeZone: 'Moon' }), {}, context).map(({ field }) => field)).toEqual(['spec.timeZone']);
  });

  it('warns of a zone in the schedule', () => {
    expect(warnOnUpdate(cronJob({ schedule: ZONED }), cronJob({}))).toEqual([
      expect.stringMatching(/^cannot use TZ or CRON_TZ in spec\.spec\.schedule, /),
    ]);
    expect(warnOnUpdate(cronJob({}), cronJob({ schedule: ZONED }))).toEqual([]);
  });
});
