/** What the rules of a kind may ask beside the object. */
import type { Features } from '../apimachinery/features/features.ts';

export interface RuleContext {
  readonly features: Features;
}
