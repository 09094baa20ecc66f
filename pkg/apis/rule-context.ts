/** Input of a kind's rules besides the object. */
import type { Features } from '../apimachinery/features/features.ts';
import type { TimeZones } from '../apimachinery/time/time-zones.ts';

export interface RuleContext {
  readonly features: Features;
  /** The time zones of the server's machine. */
  readonly timeZones: TimeZones;
}
