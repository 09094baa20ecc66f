/** Bounds of single durations. See leader-election.ts for relations between durations. */
import { parseDuration } from '../../apimachinery/time/duration.ts';
import type { ConfigRule } from './rule.ts';

/** Nanoseconds of a valid duration. */
export const nanosecondsOf = (duration: unknown): bigint => (typeof duration === 'string' ? (parseDuration(duration) ?? 0n) : 0n);

const durationsWithinBounds: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (field.format !== 'duration') continue;
    const { above, minimum } = field;
    if (above !== undefined && nanosecondsOf(value) <= nanosecondsOf(above)) {
      report({ path, reason: 'OutOfRange', message: `must be more than ${above}, not ${String(value)}` });
    } else if (typeof minimum === 'string' && nanosecondsOf(value) < nanosecondsOf(minimum)) {
      report({ path, reason: 'OutOfRange', message: `must be ${minimum} or more, not ${String(value)}` });
    }
  }
};

export const DURATIONS: readonly ConfigRule[] = [durationsWithinBounds];
