import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { type Backend, type BackendStatus, NO_REVISION } from '../../storage/backend.ts';
import { createStoreCheck } from './store-check.ts';

const HEALTHY: BackendStatus = { kind: 'etcd', version: '3.5.21', bytes: 1, alarms: [], oldestRevision: NO_REVISION, clusterId: 'a' };

function checkOf(status: Backend['status'], clock = new ManualClock(0)) {
  let asked = 0;
  const backend = {
    status: () => {
      asked += 1;
      return status();
    },
  };
  const { run } = createStoreCheck({ name: 'etcd', backend, clock, timeoutMs: 2000 });
  return { run, clock, asked: () => asked };
}

describe('Store check', () => {
  it('passes while the store answers, with a note on a version past its end of life', async () => {
    expect(await checkOf(async () => HEALTHY).run()).toEqual({});
    expect(await checkOf(async () => ({ ...HEALTHY, endOfLife: '3.4 has ended' })).run()).toEqual({ note: '3.4 has ended' });
  });

  it('fails while the store cannot be reached, takes no writes, or raises an alarm', async () => {
    const unreachable = checkOf(async () => {
      throw new Error('connection refused');
    });
    expect(await unreachable.run()).toEqual({ failure: 'connection refused' });
    expect(await checkOf(async () => ({ ...HEALTHY, notReady: 'it is read-only' })).run()).toEqual({ failure: 'it is read-only' });
    expect(await checkOf(async () => ({ ...HEALTHY, alarms: ['NOSPACE', 'CORRUPT'] })).run()).toEqual({
      failure: 'the store raised NOSPACE, CORRUPT',
    });
  });

  it('fails when the store does not answer in time, and leaves no timer', async () => {
    const { run, clock } = checkOf(() => new Promise(() => undefined));
    const result = run();
    clock.advance(1999);
    expect(clock.sleepers).toBe(1);
    clock.advance(1);
    expect(await result).toEqual({ failure: 'the store did not answer in 2000 ms' });
    expect(clock.sleepers).toBe(0);
  });

  it('asks once a second, however many probes there are, and passes again when the store is back', async () => {
    let failing = true;
    const { run, clock, asked } = checkOf(async () => {
      if (failing) throw new Error('gone');
      return HEALTHY;
    });
    expect(await Promise.all([run(), run(), run()])).toEqual(Array(3).fill({ failure: 'gone' }));
    failing = false;
    clock.advance(999);
    expect(await run()).toEqual({ failure: 'gone' });
    expect(asked()).toBe(1);
    clock.advance(1);
    expect(await run()).toEqual({});
    expect(asked()).toBe(2);
    expect(clock.sleepers).toBe(0);
  });
});
