import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { silentLog } from '../../observability/logging.ts';
import type { CommitResult, Write } from '../../storage/backend.ts';
import { BackgroundWork } from './background-work.ts';
import type { Lead } from './lease.ts';

const flushImmediates = async () => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
};

/** Notes each begin and end. */
function createWork() {
  const noted: string[] = [];
  const work: Lead = async (signal) => {
    noted.push('begins');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    noted.push('ends');
  };
  return { noted, work };
}

describe('background work', () => {
  let backend: MemoryBackend;
  let clock: ManualClock;
  let stops: AbortController[];
  let running: Promise<void>[];
  beforeEach(() => {
    backend = new MemoryBackend();
    clock = new ManualClock(1_000_000);
    stops = [];
    running = [];
  });
  afterEach(async () => {
    for (const stop of stops) stop.abort();
    await Promise.all(running);
    expect(clock.sleepers).toBe(0);
  });

  const start = async (holder: string, commit = (write: Write): Promise<CommitResult> => backend.commit(write)) => {
    const background = new BackgroundWork({
      backend: { get: backend.get.bind(backend), commit },
      clock,
      random: randomBytes,
      log: silentLog,
      holder,
    });
    const stop = new AbortController();
    stops.push(stop);
    const ended = background.run(stop.signal);
    running.push(ended);
    await flushImmediates();
    return { background, stop: () => (stop.abort(), ended) };
  };
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await flushImmediates();
    }
  };

  it('of all kinds is done by one server, also what is added while it leads', async () => {
    const [early, late, other] = [createWork(), createWork(), createWork()];
    const first = await start('first');
    first.background.add('early', early.work);
    const second = await start('second');
    second.background.add('other', other.work);
    await advance(60_000);
    first.background.add('late', late.work);
    await flushImmediates();
    expect([early.noted, late.noted, other.noted]).toEqual([['begins'], ['begins'], []]);
    await first.stop();
    await advance(3000);
    expect([early.noted, late.noted, other.noted]).toEqual([['begins', 'ends'], ['begins', 'ends'], ['begins']]);
  });

  it('goes to another server within 15 s of the death of the leader', async () => {
    let isDead = false;
    const never = new Promise<CommitResult>(() => undefined);
    await start('first', (write) => (isDead ? never : backend.commit(write)));
    const { noted, work } = createWork();
    const second = await start('second');
    second.background.add('work', work);
    // Right after a renewal it takes longest.
    const before = await backend.currentRevision();
    while ((await backend.currentRevision()) === before) await advance(500);
    isDead = true;
    await advance(9000);
    expect(noted).toEqual([]);
    await advance(5500);
    expect(noted).toEqual(['begins']);
    // It waits for an answer for ever.
    stops.shift();
    void running.shift();
  });

  it('begins again when it failed, and leaves the rest alone', async () => {
    const { noted, work } = createWork();
    let failures = 0;
    const { background, stop } = await start('first');
    background.add('steady', work);
    background.add('failing', async () => {
      failures++;
      throw new Error('no');
    });
    await advance(10_000);
    expect(failures).toBeGreaterThan(5);
    expect(noted).toEqual(['begins']);
    await stop();
    expect(noted).toEqual(['begins', 'ends']);
  });
});
