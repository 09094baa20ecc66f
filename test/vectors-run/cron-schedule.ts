import { expect } from '@jest/globals';
import { CronError } from '../../pkg/apimachinery/cron/cron-field.ts';
import { parseTestSchedule, runsAfter } from '../support/cron-runs.ts';
import { runnerOf } from './vector.ts';

interface CronVector {
  readonly schedule: string;
  readonly expectedValid: boolean;
  readonly after?: string;
  /** Empty: never. */
  readonly expectedNext?: readonly string[];
}

const RUNS = 3;

export const cronSchedule = runnerOf<CronVector>(({ schedule, expectedValid, after, expectedNext }) => {
  if (!expectedValid) {
    expect(() => parseTestSchedule(schedule)).toThrow(CronError);
  } else if (after !== undefined && expectedNext !== undefined) {
    expect(runsAfter(schedule, after, Math.max(RUNS, expectedNext.length))).toEqual(expectedNext);
  } else {
    parseTestSchedule(schedule);
  }
});
