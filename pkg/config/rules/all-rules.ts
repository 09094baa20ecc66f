/** Every rule, by subject. A new subject joins here. */
import { BOUNDS } from './bounds.ts';
import { DURATIONS } from './durations.ts';
import { LEADER_ELECTION } from './leader-election.ts';
import type { Rule } from './rule.ts';

export const ALL_RULES: readonly Rule[] = [...BOUNDS, ...DURATIONS, ...LEADER_ELECTION];
