/** One thing that the controllers are to do, in a namespace of its own. */
import type { CronJobs } from './cron-jobs.ts';
import type { Target } from './target.ts';

export interface ScenarioOptions {
  readonly target: Target;
  readonly namespace: string;
  readonly cronJobs: CronJobs;
  /** Minutes that the longest one watches. */
  readonly minutes: number;
}

/** Resolves with a remark, if there is one; rejects when something was not done. */
export type Scenario = (options: ScenarioOptions) => Promise<string | undefined>;
