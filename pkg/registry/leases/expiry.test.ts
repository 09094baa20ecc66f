import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { silentLog } from '../../observability/logging.ts';
import type { CommitResult, Write } from '../../storage/backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { openTestRegistry, sample, storeOf, write } from '../../../test/registry/test-registry.ts';
import { createExpiry } from './expiry.ts';

const START = Date.parse('2026-03-14T15:00:00Z');
const HOUR = 3_600_000;
const ticks = async () => {
  for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve));
};

/** `count` expired Events, and an expiry with a clock past their time. */
async function withDue(
  count: number,
  body: (sweep: { readonly clock: ManualClock; readonly deleted: () => number }) => Promise<void>,
  fails = 0,
) {
  const backend = new MemoryBackend();
  const registry = await openTestRegistry(backend, { clock: new ManualClock(START), eventTtlMs: HOUR });
  const events = storeOf(registry, 'Event');
  for (let index = 0; index < count; index++) await events.create('n', sample('Event', { name: `e-${index}` }), write);
  await registry.watchCache.isFresh();
  const clock = new ManualClock(START + 2 * HOUR);
  const { resource, group } = events.definition;
  const cache = registry.watchCache.resource(`${resource}.${group}`);
  let failing = fails;
  let deleted = 0;
  const commit = async (change: Write): Promise<CommitResult> => {
    if (failing-- > 0) throw new Error('unreachable');
    const result = await backend.commit(change);
    if (result.outcome === 'committed') deleted++;
    return result;
  };
  const end = new AbortController();
  const options = { backend: { commit }, resources: [cache], clock, log: silentLog, sweepMs: 10_000, maxPerSecond: 16 };
  const running = createExpiry(options)(end.signal);
  try {
    await ticks();
    await body({ clock, deleted: () => deleted });
  } finally {
    end.abort();
    await running;
    await registry.close();
    await backend.close();
  }
  expect(clock.sleepers).toBe(0);
}

describe('expiry', () => {
  it('deletes no faster than it may', async () => {
    await withDue(40, async ({ clock, deleted }) => {
      expect(deleted()).toBe(16);
      clock.advance(500);
      await ticks();
      expect(deleted()).toBe(16);
      clock.advance(500);
      await ticks();
      expect(deleted()).toBe(32);
      clock.advance(1000);
      await ticks();
      expect(deleted()).toBe(40);
    });
  });

  it('finds what it could not delete again in the next sweep', async () => {
    await withDue(
      3,
      async ({ clock, deleted }) => {
        expect(deleted()).toBe(1);
        clock.advance(1000);
        await ticks();
        clock.advance(10_000);
        await ticks();
        expect(deleted()).toBe(3);
      },
      2,
    );
  });

  it('counts from the last write that changed something', async () => {
    const backend = new MemoryBackend();
    const written = new ManualClock(START);
    const registry = await openTestRegistry(backend, { clock: written, eventTtlMs: HOUR });
    const events = storeOf(registry, 'Event');
    const { resource, group } = events.definition;
    const cache = registry.watchCache.resource(`${resource}.${group}`);
    const put = (name: string, more: JsonObject = {}) =>
      events.replace({ namespace: 'n', name }, sample('Event', { name }, more), '', write);
    const series = { series: { count: 2, lastObservedTime: '2026-03-14T15:40:00.000000Z' } };
    for (const name of ['changed', 'created', 'sent-again']) await put(name);
    written.advance(0.75 * HOUR);
    expect((await put('changed', series)).outcome).toBe('updated');
    expect((await put('sent-again')).outcome).toBe('unchanged');
    await registry.watchCache.isFresh();

    const left: number[] = [];
    let deleted = 0;
    const commit = async (change: Write): Promise<CommitResult> => {
      const result = await backend.commit(change);
      if (result.outcome === 'committed') deleted++;
      return result;
    };
    const clock = new ManualClock(START + HOUR - 1);
    const end = new AbortController();
    const options = { backend: { commit }, resources: [cache], clock, log: silentLog, sweepMs: 10_000, maxPerSecond: 16 };
    const running = createExpiry(options)(end.signal);
    for (const passed of [0, 10_000, 0.75 * HOUR - 10_000, 10_000]) {
      clock.advance(passed);
      await ticks();
      left.push(3 - deleted);
    }
    end.abort();
    await running;
    await registry.close();
    await backend.close();
    expect(left).toEqual([3, 1, 1, 0]);
  });
});
