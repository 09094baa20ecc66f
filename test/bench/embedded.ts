/**
 * The embedded store alone, with objects of 3.1 KB: durable commits, a range of everything, and a reopen. The figures
 * are compared with the goals that docs and design name. Run it by itself: `node_modules/.bin/node
 * test/bench/embedded.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { NO_REVISION, type Backend } from '../../pkg/storage/backend.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { keyAfter, toKey } from '../../pkg/storage/keys.ts';

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'commits/s' | 'changes/s' | 'ms' | 'MB';
  /** At least this for a rate, at most this for a duration. */
  readonly goal?: number;
}

export interface BenchEmbeddedOptions {
  /** Objects to load; default 100,000, which the goals are about. */
  readonly objects?: number;
  /** How long each rate is measured; default 2,000. */
  readonly rateMs?: number;
}

const OBJECT_BYTES = 3_100;
const ALL = { start: toKey('/registry/'), end: toKey('/registry0') };
const key = (i: number) => toKey(`/registry/batch/cronjobs/default/object-${String(i).padStart(8, '0')}`);
const value = (i: number) => Buffer.alloc(OBJECT_BYTES, 32 + (i % 90));

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

async function create(backend: Backend, i: number): Promise<void> {
  const result = await backend.commit({ key: key(i), ifRevision: NO_REVISION, value: value(i) });
  if (result.outcome !== 'committed') throw new Error(`object ${i} is there already`);
}

/** Commits per second of `writers` that each wait for their own. */
async function commitRate(backend: Backend, from: number, writers: number, ms: number): Promise<{ rate: number; next: number }> {
  let next = from;
  const start = performance.now();
  const write = async () => {
    while (performance.now() - start < ms) await create(backend, next++);
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { rate: ((next - from) * 1_000) / (performance.now() - start), next };
}

async function replay(backend: Backend, count: number): Promise<number> {
  const upTo = await backend.currentRevision();
  const { oldestRevision } = await backend.status();
  let told = 0;
  const abort = new AbortController();
  const [, ms] = await timed(async () => {
    for await (const batch of backend.watch({ from: oldestRevision, signal: abort.signal })) {
      told += batch.changes.length;
      if (batch.revision >= upTo || told >= count) abort.abort();
    }
  });
  return (told * 1_000) / ms;
}

export async function benchEmbedded({ objects = 100_000, rateMs = 2_000 }: BenchEmbeddedOptions = {}): Promise<readonly BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
  const rows: BenchRow[] = [];
  let backend = await openEmbeddedBackend({ dir, clock: systemClock });
  try {
    let next = 0;
    for (const [writers, goal] of [[1], [16, 10_000], [64]] as const) {
      const measured = await commitRate(backend, next, writers, rateMs);
      next = measured.next;
      rows.push({
        name: `durable commits, ${writers} writers`,
        value: measured.rate,
        unit: 'commits/s',
        ...(goal === undefined ? {} : { goal }),
      });
    }
    const loaders = Array.from({ length: 64 }, async () => {
      while (next < objects) await create(backend, next++);
    });
    await Promise.all(loaders);

    await backend.close();
    const [reopened, reopenMs] = await timed(() => openEmbeddedBackend({ dir, clock: systemClock }));
    backend = reopened;
    rows.push({ name: `reopen with ${next} objects`, value: reopenMs, unit: 'ms', goal: 1_000 });
    for (const name of ['first', 'again']) {
      const query = { ...ALL, end: keyAfter(key(objects - 1)), limit: objects, maxBytes: Number.MAX_SAFE_INTEGER };
      const [page, ms] = await timed(() => backend.range(query));
      rows.push({ name: `range of ${page.records.length}, ${name}`, value: ms, unit: 'ms', goal: 500 });
    }
    const [, pageMs] = await timed(() => backend.range({ ...ALL, limit: 500, maxBytes: 4 << 20, count: true }));
    rows.push({ name: 'page of 500, with count', value: pageMs, unit: 'ms' });
    rows.push({ name: 'watch replay', value: await replay(backend, objects), unit: 'changes/s' });
    rows.push({ name: 'file', value: (await backend.status()).bytes / 1e6, unit: 'MB' });
    return rows;
  } finally {
    await backend.close();
    rmSync(dir, { recursive: true });
  }
}

if (import.meta.main) {
  for (const { name, value: figure, unit, goal } of await benchEmbedded()) {
    console.log(
      `${name.padEnd(34)} ${figure.toFixed(figure < 100 ? 1 : 0).padStart(9)} ${unit}${goal === undefined ? '' : `  (goal ${goal})`}`,
    );
  }
}
