/** When a schedule is due next. */
import type { CronField } from '../../pkg/apimachinery/cron/cron-field.ts';
import type { CronFields, CronSchedule } from '../../pkg/apimachinery/cron/cron-schedule.ts';

/** How far a zone's clocks are ahead of UTC at an instant, both in milliseconds. */
export type ZoneOffset = (atMs: number) => number;

const UTC: ZoneOffset = () => 0;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_AHEAD = 5;

/**
 * The first time after `afterMs`, in milliseconds since the epoch; undefined when there is none within about five years
 * (`0 0 30 2 *`). A time that clocks skip is not made up for; one that they show twice counts twice when the hours
 * match.
 */
export function nextRun(schedule: CronSchedule, afterMs: number, offset: ZoneOffset = UTC): number | undefined {
  const second = Math.floor(afterMs / SECOND_MS) * SECOND_MS;
  if (schedule.form === 'interval') return second + schedule.seconds * SECOND_MS;
  const { minute, hour, dayOfMonth, month, dayOfWeek } = schedule;
  if ([minute, hour, dayOfMonth, month, dayOfWeek].some(({ isEmpty }) => isEmpty)) return undefined;
  const wall = (at: number) => new Date(at + offset(at));
  const lastYear = wall(second).getUTCFullYear() + YEARS_AHEAD;
  // Whole minutes only: the second of a schedule is always 0. Offsets of zones may have seconds, so this is the wall's
  // minute.
  let at = toNext(second + SECOND_MS, wall, MINUTE_MS);
  for (;;) {
    const shown = wall(at);
    if (shown.getUTCFullYear() > lastYear) return undefined;
    if (!has(month, shown.getUTCMonth() + 1)) {
      at = startOfDay(shown.getUTCFullYear(), shown.getUTCMonth() + 1, 1, offset);
    } else if (!dayMatches(schedule, shown)) {
      at = startOfDay(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate() + 1, offset);
    } else if (!has(hour, shown.getUTCHours())) {
      at = toNext(at + 1, wall, HOUR_MS);
    } else if (!has(minute, shown.getUTCMinutes())) {
      at += MINUTE_MS;
    } else {
      return at;
    }
  }
}

const has = (field: CronField, value: number): boolean => field.matches[value] === 1;

/** The first instant from `at` on at which the wall shows a whole `unit`. */
function toNext(at: number, wall: (at: number) => Date, unit: number): number {
  const beyond = ((wall(at).getTime() % unit) + unit) % unit;
  return beyond === 0 ? at : at - beyond + unit;
}

/** When the wall first shows that day: midnight, or the first moment after it where clocks skip midnight. */
function startOfDay(year: number, month: number, day: number, offset: ZoneOffset): number {
  const midnight = Date.UTC(year, month, day);
  const before = midnight - offset(midnight - 24 * HOUR_MS);
  const after = midnight - offset(before);
  return Math.max(after, midnight - offset(after));
}

function dayMatches({ dayOfMonth, dayOfWeek }: CronFields, shown: Date): boolean {
  const [ofMonth, ofWeek] = [has(dayOfMonth, shown.getUTCDate()), has(dayOfWeek, shown.getUTCDay())];
  return dayOfMonth.isStar || dayOfWeek.isStar ? ofMonth && ofWeek : ofMonth || ofWeek;
}
