/** Every rule, by subject. A new subject joins here. */
import { ADDRESSES } from './addresses.ts';
import { BOUNDS } from './bounds.ts';
import { DURATIONS } from './durations.ts';
import { LEADER_ELECTION } from './leader-election.ts';
import { LEADER_MIGRATION } from './leader-migration.ts';
import { NODE_LIFECYCLE } from './node-lifecycle.ts';
import type { Rule } from './rule.ts';
import { SELECTORS } from './selectors.ts';
import { SIGNING } from './signers.ts';

export const ALL_RULES: readonly Rule[] = [
  ...BOUNDS,
  ...DURATIONS,
  ...LEADER_ELECTION,
  ...ADDRESSES,
  ...SELECTORS,
  ...SIGNING,
  ...NODE_LIFECYCLE,
  ...LEADER_MIGRATION,
];
