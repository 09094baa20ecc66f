/** The rules of a CronJob's schedule and time zone. */
import { CronError } from '../../../../apimachinery/cron/cron-field.ts';
import { parseCronSchedule } from '../../../../apimachinery/cron/cron-schedule.ts';
import { invalidValue, invalidWord, NO_CAUSES, required, shownText } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { TimeZones } from '../../../../apimachinery/time/time-zones.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { CronJobSpec } from './types.gen.ts';

export type UncheckedCronJobSpec = Unchecked<CronJobSpec>;

/** Early CronJobs had `TZ=` or `CRON_TZ=` in the schedule. Any occurrence of `TZ` counts. */
export const namesZone = (schedule: string | undefined): boolean => schedule?.includes('TZ') === true;

/** `stored`: undefined on create. A zone in the schedule is allowed if one is stored, unless timeZone is set. */
export function validateSchedule(
  spec: UncheckedCronJobSpec,
  stored: UncheckedCronJobSpec | undefined,
  path: FieldPath,
  timeZones: TimeZones,
): readonly StatusCause[] {
  const { schedule = '', timeZone } = spec;
  if (schedule === '') return [required(path.child('schedule'))];
  const problem = problemOf(schedule, timeZones);
  const zoneProblem = namesZone(schedule) ? zoneProblemOf(namesZone(stored?.schedule), timeZone) : undefined;
  if (problem === undefined && zoneProblem === undefined) return NO_CAUSES;
  const at = path.child('schedule');
  return [problem, zoneProblem].flatMap((detail) => (detail === undefined ? [] : [invalidValue(at, schedule, detail)]));
}

function problemOf(schedule: string, timeZones: TimeZones): string | undefined {
  try {
    parseCronSchedule(schedule, timeZones.isKnown);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

function zoneProblemOf(isKept: boolean, timeZone: string | undefined): string | undefined {
  if (!isKept) return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return timeZone === undefined ? undefined : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
}

const EXPLICIT_ZONE = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
const ZONE_PART = /^[A-Za-z0-9._+][A-Za-z0-9._+-]{0,13}$/;
const isZonePart = (part: string): boolean => part !== '.' && part !== '..' && ZONE_PART.test(part);

/** Callers skip it for an unchanged zone, which an earlier time zone database may have known. */
export function validateTimeZone(timeZone: string | undefined, path: FieldPath, timeZones: TimeZones): readonly StatusCause[] {
  if (timeZone === undefined) return NO_CAUSES;
  const wrong = (detail: string) => invalidWord(path, timeZone, detail);
  if (timeZone === '') return [wrong('timeZone must be nil or non-empty string')];
  const unknown = `unknown time zone ${shownText(timeZone)}`;
  if (!timeZone.split('/').every(isZonePart)) return [wrong(unknown)];
  // Go does not look for such a name.
  const why = timeZone.includes('..') ? 'time: invalid location name' : unknown;
  const causes: StatusCause[] = [];
  if (timeZone.toLowerCase() === 'local') causes.push(wrong(EXPLICIT_ZONE));
  // Go knows `Local` in this spelling, so it is not an unknown zone as well.
  if (timeZone !== 'Local' && !timeZones.isKnown(timeZone)) causes.push(wrong(why));
  return causes;
}
