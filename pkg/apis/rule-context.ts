/** What the rules of a kind may ask beside the object. */
import type { Features } from '../apimachinery/features/features.ts';
import type { TimeZones } from '../apimachinery/time/time-zones.ts';

export interface RuleContext {
  readonly features: Features;
  /** Of the machine that the server runs on. */
  readonly timeZones: TimeZones;
}
