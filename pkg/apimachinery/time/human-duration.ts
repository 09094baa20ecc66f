/** Durations for tables: one or two units, coarser for longer durations. The same text as in Kubernetes. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Tolerance for clock differences: times further in the future are invalid. */
const INVALID_MS = -2 * SECOND;

/** Granularity of the text: below `below` it changes every `step`. */
const STEPS: readonly { readonly below: number; readonly step: number }[] = [
  { below: 10 * MINUTE, step: SECOND },
  { below: 8 * HOUR, step: MINUTE },
  { below: 8 * DAY, step: HOUR },
  { below: 8 * YEAR, step: DAY },
  { below: Infinity, step: YEAR },
];

/** `ms` may be negative, for a time in the future. */
export function humanDuration(ms: number): string {
  if (ms <= INVALID_MS) return '<invalid>';
  if (ms < SECOND) return '0s';
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return twoUnits(ms, MINUTE, 'm', SECOND, 's');
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return twoUnits(ms, HOUR, 'h', MINUTE, 'm');
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return twoUnits(ms, DAY, 'd', HOUR, 'h');
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return twoUnits(ms, YEAR, 'y', DAY, 'd');
  return `${Math.floor(ms / YEAR)}y`;
}

/** The next longer duration, in whole milliseconds, with different text. */
export function nextHumanDuration(ms: number): number {
  if (ms <= INVALID_MS) return INVALID_MS + 1;
  if (ms < SECOND) return SECOND;
  const step = STEPS.find(({ below }) => ms < below)?.step ?? YEAR;
  return (Math.floor(ms / step) + 1) * step;
}

function twoUnits(ms: number, unit: number, name: string, small: number, smallName: string): string {
  const remainder = Math.floor((ms % unit) / small);
  return `${Math.floor(ms / unit)}${name}${remainder === 0 ? '' : `${remainder}${smallName}`}`;
}
