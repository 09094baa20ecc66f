import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../observability/logging.ts';
import { type CommitResult, NO_REVISION, type Write } from '../../storage/backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { leaseKey, type LeaseOptions, runLeader } from './lease.ts';

/** Runs all pending microtasks and I/O. */
const flushImmediates = async () => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
};

class Candidate {
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  leading = false;

  constructor(options: LeaseOptions) {
    this.#ended = runLeader(
      options,
      async (signal) => {
        this.leading = true;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        this.leading = false;
      },
      this.#stop.signal,
    );
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.#ended;
  }
}

describe('a lease', () => {
  const key = leaseKey('expiry');
  let backend: MemoryBackend;
  let clock: ManualClock;
  let candidates: Candidate[];

  beforeEach(() => {
    backend = new MemoryBackend();
    clock = new ManualClock(1_000_000);
    candidates = [];
  });
  afterEach(async () => {
    await Promise.all(candidates.map((candidate) => candidate.stop()));
    expect(clock.sleepers).toBe(0);
  });

  const start = async (overrides: Partial<LeaseOptions> = {}): Promise<Candidate> => {
    const candidate = new Candidate({
      backend,
      clock,
      random: randomBytes,
      log: silentLog,
      name: 'expiry',
      holder: 'test',
      leaseMs: 15_000,
      renewMs: 5000,
      ...overrides,
    });
    candidates.push(candidate);
    await flushImmediates();
    return candidate;
  };
  const advance = async (ms: number, stepMs = 5000) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await flushImmediates();
    }
  };

  it('is held by the first who asks, and by nobody else while it is renewed', async () => {
    const first = await start();
    const second = await start();
    await advance(60_000);
    expect([first.leading, second.leading]).toEqual([true, false]);
  });

  it('goes to the next one when its holder gives it back', async () => {
    const first = await start();
    const second = await start();
    await first.stop();
    await advance(5000);
    expect([first.leading, second.leading]).toEqual([false, true]);
  });

  it('is taken over when it was not renewed for its time on the clock of the observer', async () => {
    const dead = await backend.commit({ key, ifRevision: NO_REVISION, value: Buffer.from('left behind') });
    expect(dead.outcome).toBe('committed');
    const second = await start();
    await advance(10_000);
    expect(second.leading).toBe(false);
    await advance(10_000);
    expect(second.leading).toBe(true);
  });

  it('ends the work of a holder that cannot renew it', async () => {
    let fails = false;
    const flaky = {
      get: backend.get.bind(backend),
      commit: async (write: Write): Promise<CommitResult> => {
        if (fails) throw new Error('unreachable');
        return backend.commit(write);
      },
    };
    const first = await start({ backend: flaky });
    fails = true;
    await advance(10_000);
    expect(first.leading).toBe(true);
    await advance(5000);
    expect(first.leading).toBe(false);
  });

  it('ends the work of a holder whose key another has written, and says so', async () => {
    const lines: string[] = [];
    const first = await start({ log: { ...silentLog, info: (message) => lines.push(message) } });
    const { record } = await backend.get(key);
    await backend.commit({ key, ifRevision: record?.revision ?? NO_REVISION, value: Buffer.from('usurped') });
    expect(lines).toEqual([]);
    await advance(5000);
    expect([first.leading, lines]).toEqual([false, ['lease lost']]);
  });

  it('knows its own write when the reply to it was lost', async () => {
    const lossy = {
      get: backend.get.bind(backend),
      commit: async (write: Write): Promise<CommitResult> => {
        await backend.commit(write);
        return { outcome: 'unknown', cause: new Error('reply lost') };
      },
    };
    const first = await start({ backend: lossy });
    await advance(30_000);
    expect(first.leading).toBe(true);
  });

  it('is taken from a holder that is gone although the clock was set back', async () => {
    await backend.commit({ key, ifRevision: NO_REVISION, value: Buffer.from('a holder that never comes back') });
    let setBackMs = 0;
    const next = await start({ clock: { now: () => clock.now() - setBackMs, sleep: (ms, signal) => clock.sleep(ms, signal) } });
    await advance(5000);
    setBackMs = 3_600_000;
    await advance(30_000);
    expect(next.leading).toBe(true);
  });
});
