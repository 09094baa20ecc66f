import { describe, expect, it } from '@jest/globals';
import { expiryOfJob } from './expiry-of-job.ts';

const FINISHED = '2026-03-14T15:09:26Z';
const job = (ttl: number | undefined, conditions: readonly object[], metadata = {}) =>
  Buffer.from(JSON.stringify({ metadata, spec: { ttlSecondsAfterFinished: ttl }, status: { conditions } }));
const complete = { type: 'Complete', status: 'True', lastTransitionTime: FINISHED };

describe('expiryOfJob', () => {
  it('is the time to live after a Job completed or failed', () => {
    expect(expiryOfJob(job(60, [{ type: 'SuccessCriteriaMet', status: 'True' }, complete]))).toBe(Date.parse('2026-03-14T15:10:26Z'));
    expect(expiryOfJob(job(0, [{ ...complete, type: 'Failed' }]))).toBe(Date.parse(FINISHED));
  });

  it('is read as far as it can be from what another program wrote', () => {
    const odd = [null, 'Complete', { ...complete, lastTransitionTime: 5 }, complete] as readonly object[];
    expect(expiryOfJob(job(60, odd.slice(0, 2)))).toBeUndefined();
    expect(expiryOfJob(job(60, odd.slice(0, 3)))).toBeUndefined();
    expect(expiryOfJob(job(60, [null, complete] as readonly object[]))).toBe(Date.parse('2026-03-14T15:10:26Z'));
    expect(expiryOfJob(job('60' as never, [complete]))).toBeUndefined();
    expect(expiryOfJob(job(60, { length: 1 } as never))).toBeUndefined();
    expect(expiryOfJob(Buffer.from('{"metadata":null,"spec":{"ttlSecondsAfterFinished":1},"status":"x"}'))).toBeUndefined();
  });

  it('is undefined for a Job that runs, has no time to live, or is being deleted', () => {
    expect(expiryOfJob(job(60, []))).toBeUndefined();
    expect(expiryOfJob(job(60, [{ ...complete, status: 'False' }]))).toBeUndefined();
    expect(expiryOfJob(job(60, [{ ...complete, lastTransitionTime: undefined }]))).toBeUndefined();
    expect(expiryOfJob(job(undefined, [complete]))).toBeUndefined();
    expect(expiryOfJob(job(60, [complete], { deletionTimestamp: FINISHED }))).toBeUndefined();
  });
});
