import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { systemClock } from '../apimachinery/time/clock.ts';
import { type Revision, toRevision } from '../storage/backend.ts';
import { Progress } from './progress.ts';
import { FreshnessChecks } from './freshness-checks.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const questions: ((answer: Revision | Error) => void)[] = [];
  const progress = new Progress(systemClock);
  progress.restart(toRevision(10));
  const checks = new FreshnessChecks(
    {
      currentRevision: () =>
        new Promise((resolve, reject) => {
          questions.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
        }),
    },
    progress,
  );
  return { questions, progress, checks };
}

describe('revision checks', () => {
  it('share one question among the reads of a turn, asked after them', async () => {
    const { questions, checks } = setUp();
    const reads = [checks.isFresh(), checks.isFresh(), checks.isFresh()];
    expect(questions.length).toBe(0);
    await turn();
    expect(questions.length).toBe(1);
    const later = checks.isFresh();
    questions[0]?.(toRevision(10));
    expect(await Promise.all(reads)).toEqual([true, true, true]);
    await turn();
    expect(questions.length).toBe(2);
    questions[1]?.(toRevision(10));
    expect(await later).toBe(true);
  });

  it('have at most four questions under way and let later reads share the next', async () => {
    const { questions, checks } = setUp();
    const reads: Promise<boolean>[] = [];
    for (let i = 0; i < 10; i++) {
      reads.push(checks.isFresh());
      await turn();
    }
    expect(questions.length).toBe(4);
    questions[0]?.(toRevision(10));
    expect(await reads[0]).toBe(true);
    expect(questions.length).toBe(5);
    for (const answer of questions.slice(1)) answer(toRevision(10));
    expect(await Promise.all(reads)).toEqual(reads.map(() => true));
    expect(questions.length).toBe(5);
  });

  it('wait until the cache has come to the answer', async () => {
    const { questions, progress, checks } = setUp();
    let isOver = false;
    const read = checks.isFresh().finally(() => (isOver = true));
    await turn();
    questions[0]?.(toRevision(12));
    await turn();
    expect(isOver).toBe(false);
    progress.advance(toRevision(11));
    await turn();
    expect(isOver).toBe(false);
    progress.advance(toRevision(12));
    expect(await read).toBe(true);
  });

  it('do not take the state of a lost history for new', async () => {
    const { questions, progress, checks } = setUp();
    progress.lose();
    let isOver = false;
    const read = checks.isFresh().finally(() => (isOver = true));
    await turn();
    questions[0]?.(toRevision(5));
    await turn();
    expect(isOver).toBe(false);
    progress.restart(toRevision(5));
    expect(await read).toBe(true);
  });

  it('answer no when the store is older than what is shown of it', async () => {
    const { questions, checks } = setUp();
    const read = checks.isFresh();
    await turn();
    questions[0]?.(toRevision(9));
    expect(await read).toBe(false);
  });

  it('answer no when the store does not answer', async () => {
    const { questions, checks } = setUp();
    const read = checks.isFresh();
    await turn();
    questions[0]?.(new Error('unreachable'));
    expect(await read).toBe(false);
  });

  it('keep nobody who does not want to know any more', async () => {
    const { questions, progress, checks } = setUp();
    const [before, between, after] = [new AbortController(), new AbortController(), new AbortController()];
    before.abort();
    expect(await checks.isFresh(before.signal)).toBe(false);
    const [gone, goneLater, stays] = [checks.isFresh(between.signal), checks.isFresh(after.signal), checks.isFresh()];
    between.abort();
    expect(await gone).toBe(false);
    await turn();
    questions[0]?.(toRevision(12));
    await turn();
    after.abort();
    expect(await goneLater).toBe(false);
    progress.advance(toRevision(12));
    expect(await stays).toBe(true);
    for (const { signal } of [between, after]) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
