import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { systemClock } from '../apimachinery/time/clock.ts';
import { type Revision, toRevision } from '../storage/backend.ts';
import { Progress } from './progress.ts';
import { FreshnessChecks } from './freshness-checks.ts';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const requests: ((answer: Revision | Error) => void)[] = [];
  const progress = new Progress(systemClock);
  progress.restart(toRevision(10));
  const checks = new FreshnessChecks(
    {
      currentRevision: () =>
        new Promise((resolve, reject) => {
          requests.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
        }),
    },
    progress,
  );
  return { requests, progress, checks };
}

describe('freshness checks', () => {
  it('share one request among the reads of a tick, sent after them', async () => {
    const { requests, checks } = setUp();
    const reads = [checks.isFresh(), checks.isFresh(), checks.isFresh()];
    expect(requests.length).toBe(0);
    await nextTick();
    expect(requests.length).toBe(1);
    const later = checks.isFresh();
    requests[0]?.(toRevision(10));
    expect(await Promise.all(reads)).toEqual([true, true, true]);
    await nextTick();
    expect(requests.length).toBe(2);
    requests[1]?.(toRevision(10));
    expect(await later).toBe(true);
  });

  it('send at most four concurrent requests, and share the next one', async () => {
    const { requests, checks } = setUp();
    const reads: Promise<boolean>[] = [];
    for (let i = 0; i < 10; i++) {
      reads.push(checks.isFresh());
      await nextTick();
    }
    expect(requests.length).toBe(4);
    requests[0]?.(toRevision(10));
    expect(await reads[0]).toBe(true);
    expect(requests.length).toBe(5);
    for (const resolve of requests.slice(1)) resolve(toRevision(10));
    expect(await Promise.all(reads)).toEqual(reads.map(() => true));
    expect(requests.length).toBe(5);
  });

  it('wait until the cache has reached the revision', async () => {
    const { requests, progress, checks } = setUp();
    let isOver = false;
    const read = checks.isFresh().finally(() => (isOver = true));
    await nextTick();
    requests[0]?.(toRevision(12));
    await nextTick();
    expect(isOver).toBe(false);
    progress.advance(toRevision(11));
    await nextTick();
    expect(isOver).toBe(false);
    progress.advance(toRevision(12));
    expect(await read).toBe(true);
  });

  it('fail while history is lost', async () => {
    const { requests, progress, checks } = setUp();
    progress.lose();
    let isOver = false;
    const read = checks.isFresh().finally(() => (isOver = true));
    await nextTick();
    requests[0]?.(toRevision(5));
    await nextTick();
    expect(isOver).toBe(false);
    progress.restart(toRevision(5));
    expect(await read).toBe(true);
  });

  it('fail if the store is older than the cache', async () => {
    const { requests, checks } = setUp();
    const read = checks.isFresh();
    await nextTick();
    requests[0]?.(toRevision(9));
    expect(await read).toBe(false);
  });

  it('fail if the store does not answer', async () => {
    const { requests, checks } = setUp();
    const read = checks.isFresh();
    await nextTick();
    requests[0]?.(new Error('unreachable'));
    expect(await read).toBe(false);
  });

  it('release aborted readers', async () => {
    const { requests, progress, checks } = setUp();
    const [before, between, after] = [new AbortController(), new AbortController(), new AbortController()];
    before.abort();
    expect(await checks.isFresh(before.signal)).toBe(false);
    const [gone, goneLater, stays] = [checks.isFresh(between.signal), checks.isFresh(after.signal), checks.isFresh()];
    between.abort();
    expect(await gone).toBe(false);
    await nextTick();
    requests[0]?.(toRevision(12));
    await nextTick();
    after.abort();
    expect(await goneLater).toBe(false);
    progress.advance(toRevision(12));
    expect(await stays).toBe(true);
    for (const { signal } of [between, after]) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
