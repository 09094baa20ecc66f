import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { createMetrics } from '../observability/metrics.ts';
import { DelayedItems } from './delayed-items.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

const flushImmediates = async () => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a work queue', () => {
  let clock: ManualClock;
  let stop: AbortController;
  let ended: Promise<void>;
  beforeEach(() => {
    clock = new ManualClock(0);
    stop = new AbortController();
    ended = Promise.resolve();
  });
  afterEach(async () => {
    stop.abort();
    await ended;
    expect(clock.sleepers).toBe(0);
  });
  const create = (options: Partial<WorkQueueOptions<string>> = {}) => new WorkQueue<string>({ name: 'test', clock, ...options });

  /** Items begin when a worker takes them, and end when the test says so. */
  const start = async (queue: WorkQueue<string>, workers: number) => {
    const begun: string[] = [];
    const running = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
    ended = queue.run(
      workers,
      (item) =>
        new Promise((resolve, reject) => {
          begun.push(item);
          running.set(item, { resolve, reject });
        }),
      stop.signal,
    );
    await flushImmediates();
    const end = async (item: string, error?: Error) => {
      const { resolve, reject } = running.get(item) ?? {};
      running.delete(item);
      if (error === undefined) resolve?.();
      else reject?.(error);
      await flushImmediates();
    };
    return { begun, running, end };
  };

  it('processes each item once, in order, at most so many at once', async () => {
    const queue = create();
    for (const item of ['a', 'b', 'a', 'c', 'b', 'd']) queue.add(item);
    const { begun, running, end } = await start(queue, 2);
    expect([begun, [...running.keys()], queue.length]).toEqual([['a', 'b'], ['a', 'b'], 2]);
    await end('b');
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await end('c');
    expect(queue.isIdle).toBe(false);
    await end('d');
    expect(queue.isIdle).toBe(true);
  });

  it('processes an item again that was added while it was being processed, and never at the same time', async () => {
    const queue = create();
    const { begun, end } = await start(queue, 2);
    queue.add('a');
    await flushImmediates();
    queue.add('a');
    queue.add('a');
    await flushImmediates();
    expect([begun, queue.isIdle]).toEqual([['a'], false]);
    await end('a');
    expect(begun).toEqual(['a', 'a']);
    await end('a');
    expect([begun, queue.isIdle]).toEqual([['a', 'a'], true]);
  });

  it('doubles the delay with each failure, up to a limit, and begins anew after a success', async () => {
    const told: (readonly [string, string, number])[] = [];
    const queue = create({ maxRetryMs: 15, failed: (item, error, failures) => told.push([item, (error as Error).message, failures]) });
    const { begun, end } = await start(queue, 1);
    queue.add('a');
    await flushImmediates();
    const failAndWait = async () => {
      await end('a', new Error('no'));
      for (let ms = 1; ; ms++) {
        clock.advance(1);
        const before = begun.length;
        await flushImmediates();
        if (begun.length > before) return ms;
      }
    };
    expect([await failAndWait(), await failAndWait(), await failAndWait()]).toEqual([5, 10, 15]);
    expect(told).toEqual([1, 2, 3].map((failures) => ['a', 'no', failures]));
    await end('a');
    queue.add('a');
    await flushImmediates();
    expect(await failAndWait()).toBe(5);
    await end('a');
  });

  it('adds an item at the earliest of its times', async () => {
    const queue = create();
    const { begun, end } = await start(queue, 1);
    queue.addAfter('late', 100);
    queue.addAfter('early', 50);
    queue.addAfter('late', 20);
    queue.addAfter('late', 200);
    queue.addAfter('now', 0);
    await flushImmediates();
    for (const item of ['now', 'late', 'early']) {
      expect(begun.at(-1)).toBe(item);
      await end(item);
      clock.advance(30);
      await flushImmediates();
    }
    clock.advance(1000);
    await flushImmediates();
    expect([begun, queue.isIdle]).toEqual([['now', 'late', 'early'], true]);
  });

  it('ends when it is told to, and forgets what waits', async () => {
    const queue = create();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 5);
    const { begun, end } = await start(queue, 1);
    stop.abort();
    await flushImmediates();
    await end('a');
    await ended;
    expect([begun, queue.isIdle]).toEqual([['a'], true]);
  });

  it('takes nothing more when it has ended', async () => {
    const metrics = createMetrics({ version: '', now: () => 0, processMetrics: false });
    const queue = create({ metrics });
    await start(queue, 1);
    stop.abort();
    await ended;
    queue.add('a');
    queue.addAfter('b', 5);
    expect([queue.length, queue.isIdle]).toEqual([0, true]);
    expect(await metrics.expose()).toMatch(/^workqueue_depth\{name="test"\} 0$/m);
  });

  it('lets others run between items', async () => {
    const queue = create();
    for (let item = 0; item < 20_000; item++) queue.add(String(item));
    let [ticks, processed] = [0, 0];
    ended = queue.run(
      4,
      async () => {
        processed++;
      },
      stop.signal,
    );
    while (processed < 20_000) {
      await new Promise((resolve) => setImmediate(resolve));
      ticks++;
    }
    expect(ticks).toBeGreaterThan(1);
    expect(queue.isIdle).toBe(true);
  });

  it('counts what it does under the names of client-go', async () => {
    let now = 0;
    const metrics = createMetrics({ version: '', now: () => (now += 1000), processMetrics: false });
    const series = async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        [...(await metrics.expose()).matchAll(/^workqueue_(\w+)\{name="test"\} (\S+)$/gm)].map(([, name = '', value]) => [
          name,
          Number(value),
        ]),
      );
    const queue = create({ metrics });
    const { end } = await start(queue, 1);
    queue.add('a');
    queue.add('a');
    queue.add('b');
    await flushImmediates();
    expect(await series()).toMatchObject({ depth: 1, adds_total: 2, queue_duration_seconds_count: 1, work_duration_seconds_count: 0 });
    expect((await series())['unfinished_work_seconds']).toBeGreaterThan(0);
    expect((await series())['longest_running_processor_seconds']).toBeGreaterThan(0);
    await end('a', new Error('no'));
    clock.advance(5);
    await end('b');
    expect(await series()).toMatchObject({ depth: 0, adds_total: 3, retries_total: 1, work_duration_seconds_count: 2 });
    queue.add('c');
    stop.abort();
    await end('a');
    await ended;
    expect(await series()).toMatchObject({ depth: 0, unfinished_work_seconds: 0, longest_running_processor_seconds: 0 });
  });
});

describe('delayed items', () => {
  it('come in the order of the earliest of their times, each once', () => {
    const added = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }).map(String), fc.integer({ min: 0, max: 20 })), { maxLength: 30 });
    fc.assert(
      fc.property(added, fc.integer({ min: 0, max: 20 }), (entries, now) => {
        const delayed = new DelayedItems<string>();
        const expected = new Map<string, number>();
        for (const [item, dueMs] of entries) {
          delayed.add(item, dueMs);
          expected.set(item, Math.min(expected.get(item) ?? Infinity, dueMs));
        }
        const take = (atMs: number) => {
          const taken: number[] = [];
          for (let item = delayed.takeDue(atMs); item !== undefined; item = delayed.takeDue(atMs)) {
            taken.push(expected.get(item) ?? NaN);
            expected.delete(item);
          }
          return taken;
        };
        const due = [...expected.values()].filter((dueMs) => dueMs <= now).sort((a, b) => a - b);
        expect(take(now)).toEqual(due);
        const rest = [...expected.values()].sort((a, b) => a - b);
        expect([delayed.firstDueMs, delayed.size]).toEqual([rest[0], rest.length]);
        expect(take(Infinity)).toEqual(rest);
      }),
      propertyRuns(300),
    );
  });
});
