/** When a schedule is due, in zones as the runtime knows them; the server itself never asks it. */
import { parseCronSchedule, type CronSchedule } from '../../pkg/apimachinery/cron/cron-schedule.ts';
import { nextRun, type ZoneOffset } from './next-run.ts';
import { toRfc3339Seconds } from '../../pkg/apimachinery/time/rfc3339.ts';
import { createTimeZones } from '../../pkg/apimachinery/time/time-zones.ts';

const MINUTE_MS = 60_000;

const zones = createTimeZones({ folders: [] });

/** Throws CronError. Knows the zones of the project's own list, whatever this machine has. */
export const parseTestSchedule = (text: string): CronSchedule => parseCronSchedule(text, (name) => zones.isKnown(name));

/**
 * The next `count` runs after `after` (RFC 3339), fewer when there are fewer. `timeZone`: where the schedule itself
 * names none.
 */
export function runsAfter(text: string, after: string, count: number, timeZone?: string): readonly string[] {
  const schedule = parseTestSchedule(text);
  const offset = offsetOf(timeZone ?? schedule.timeZone);
  const found: string[] = [];
  for (let at = nextRun(schedule, Date.parse(after), offset); at !== undefined && found.length < count;) {
    found.push(toRfc3339Seconds(at));
    at = nextRun(schedule, at, offset);
  }
  return found;
}

function offsetOf(timeZone = 'UTC'): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timeZone === '' ? 'UTC' : timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const shown = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(shown) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  };
}
