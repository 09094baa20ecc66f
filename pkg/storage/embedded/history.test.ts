import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { NO_REVISION, toRevision, type Backend, type Revision } from '../backend.ts';
import { isStorageError } from '../errors.ts';
import { toKey } from '../keys.ts';
import { openEmbeddedBackend, type EmbeddedBackendOptions } from './open-embedded-backend.ts';

/** Advances only when told to. */
class ManualClock implements Clock {
  #now = 1_000_000;
  readonly #sleeping = new Set<() => void>();
  now(): number {
    return this.#now;
  }
  async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#sleeping.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleeping.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const wake of [...this.#sleeping]) wake();
  }
}

describe('history of the embedded store', () => {
  let dir = '';
  let clock = new ManualClock();
  let backend: Backend | undefined;
  const key = toKey('/a');

  const open = async (options: Partial<EmbeddedBackendOptions> = {}): Promise<Backend> => {
    await backend?.close();
    backend = await openEmbeddedBackend({ dir, clock, ...options });
    return backend;
  };
  const put = async (store: Backend, ifRevision: Revision, value: Uint8Array | null = Buffer.alloc(1_000)): Promise<Revision> => {
    const result = await store.commit({ key, ifRevision, value });
    if (result.outcome !== 'committed') throw new Error('not committed', { cause: result });
    return result.revision;
  };
  const update = async (store: Backend, times: number, from = NO_REVISION): Promise<Revision> => {
    let last = from;
    for (let i = 0; i < times; i++) last = await put(store, last);
    return last;
  };
  const isCompacted = async (store: Backend, revision: number): Promise<boolean> =>
    store.get(key, toRevision(revision)).then(
      () => false,
      (error: unknown) => isStorageError(error, 'Compacted'),
    );

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'coxswain-history-'));
    clock = new ManualClock();
  });
  afterEach(async () => {
    await backend?.close();
    backend = undefined;
    rmSync(dir, { recursive: true });
  });

  it('retains about as many bytes as allowed, and always the current value', async () => {
    const store = await open({ historyMaxBytes: 20_000 });
    const last = await update(store, 200);
    await update(store, 1, last);
    const { oldestRevision } = await store.status();
    expect(last - oldestRevision).toBeGreaterThan(10);
    expect(last - oldestRevision).toBeLessThan(25);
    expect(await isCompacted(store, oldestRevision - 1)).toBe(true);
    expect((await store.get(key, oldestRevision)).record?.revision).toBe(oldestRevision);
    expect((await store.get(key)).record?.revision).toBe(last + 1);
  });

  it('reuses the space of dropped history', async () => {
    const store = await open({ historyMaxBytes: 100_000 });
    const last = await update(store, 1_000);
    const { bytes } = await store.status();
    await update(store, 2_000, last);
    expect((await store.status()).bytes).toBeLessThan(bytes * 1.5);
  });

  it('drops expired history even without writes', async () => {
    const store = await open({ historyMs: 60_000 });
    const old = await update(store, 5);
    clock.advance(30_000);
    const recent = await update(store, 5, old);
    expect(await isCompacted(store, old)).toBe(false);
    while (!(await isCompacted(store, old - 1))) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await store.get(key)).record?.revision).toBe(recent);
  });

  it('persists what it dropped, and never reuses a revision', async () => {
    const store = await open();
    const last = await update(store, 5);
    const deleted = await put(store, last, null);
    await store.compact(deleted);
    const again = await open();
    expect(await again.currentRevision()).toBe(deleted);
    expect(await isCompacted(again, last)).toBe(true);
    expect(await put(again, NO_REVISION)).toBe(deleted + 1);
  });

  it('persists its size', async () => {
    const last = await update(await open({ historyMaxBytes: 1_000_000 }), 100);
    const again = await open({ historyMaxBytes: 20_000 });
    await update(again, 50, last);
    const { oldestRevision } = await again.status();
    expect(last + 50 - oldestRevision).toBeLessThan(25);
  });

  it('becomes read-only before the disk is full, and stays readable', async () => {
    let free = 1e9;
    const lines: string[] = [];
    const log = { error: (line: string) => lines.push(line), warn: () => undefined, info: () => undefined, debug: () => undefined };
    const store = await open({ freeBytes: () => free, log });
    const last = await update(store, 3);
    free = 1_500_000;
    const error: unknown = await put(store, last).catch((thrown: unknown) => thrown);
    expect(isStorageError(error, 'ReadOnly')).toBe(true);
    expect(lines).toEqual([
      `The store in ${dir} failed to write and takes no writes until it is restarted: the disk is full, with 1.5 MB left.`,
    ]);
    expect((await store.status()).notReady).toBe(lines[0]);
    expect((await store.get(key)).record?.revision).toBe(last);
    expect(isStorageError(await store.compact(last).catch((thrown: unknown) => thrown), 'ReadOnly')).toBe(true);
  });
});
