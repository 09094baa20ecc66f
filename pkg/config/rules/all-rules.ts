/** All rules, by subject. New subjects are added here. */
import { ADDRESSES } from './addresses.ts';
import { BOUNDS } from './bounds.ts';
import { CLIENT_CONNECTION } from './client-connection.ts';
import { CLOUD_PROVIDER } from './cloud-provider.ts';
import { DURATIONS } from './durations.ts';
import { LEADER_ELECTION } from './leader-election.ts';
import { LEADER_MIGRATION } from './leader-migration.ts';
import { NODE_LIFECYCLE } from './node-lifecycle.ts';
import { NODE_RANGES } from './node-ranges.ts';
import type { ConfigRule } from './rule.ts';
import { SELECTORS } from './selectors.ts';
import { SIGNING } from './signers.ts';
import { WITHOUT_CONTROLLER } from './without-controller.ts';
import { WITHOUT_EFFECT } from './without-effect.ts';

export const ALL_RULES: readonly ConfigRule[] = [
  ...BOUNDS,
  ...DURATIONS,
  ...CLIENT_CONNECTION,
  ...LEADER_ELECTION,
  ...ADDRESSES,
  ...NODE_RANGES,
  ...CLOUD_PROVIDER,
  ...SELECTORS,
  ...SIGNING,
  ...NODE_LIFECYCLE,
  ...LEADER_MIGRATION,
  ...WITHOUT_EFFECT,
  ...WITHOUT_CONTROLLER,
];
