import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../observability/logging.ts';
import { type Revision, toRevision } from '../../storage/backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { createCompaction } from './compaction.ts';

const PERIOD = 300_000;

async function run(
  steps: readonly { readonly now: number; readonly applied: number; readonly fails?: true }[],
): Promise<readonly number[]> {
  const clock = new ManualClock(0);
  const compacted: number[] = [];
  const end = new AbortController();
  let step: (typeof steps)[number] = { now: 0, applied: 0 };
  const resource = {
    get revision(): Revision {
      return toRevision(step.applied);
    },
  };
  const backend = {
    currentRevision: async () => {
      if (step.fails === true) throw new Error('unreachable');
      return toRevision(step.now);
    },
    compact: async (upTo: Revision) => void compacted.push(upTo),
  };
  [step = step] = steps;
  const compaction = createCompaction({ backend, resources: [resource], clock, log: silentLog, everyMs: PERIOD })(end.signal);
  for (const next of [...steps.slice(1), undefined]) {
    while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
    if (next === undefined) break;
    step = next;
    clock.advance(PERIOD);
  }
  end.abort();
  await compaction;
  expect(clock.sleepers).toBe(0);
  return compacted;
}

describe('compaction', () => {
  it('keeps at least the last period: it goes to what was newest one period ago', async () => {
    const seen = [100, 200, 300].map((now) => ({ now, applied: now }));
    expect(await run(seen)).toEqual([100, 200]);
  });

  it('stays behind what this server has seen', async () => {
    expect(
      await run([
        { now: 100, applied: 100 },
        { now: 200, applied: 60 },
      ]),
    ).toEqual([60]);
  });

  it('goes on after a failure', async () => {
    expect(
      await run([
        { now: 100, applied: 100 },
        { now: 200, applied: 200, fails: true },
        { now: 300, applied: 300 },
      ]),
    ).toEqual([100]);
  });
});
