/** Jobs that have finished go after their time to live. */
import { expect, it } from '@jest/globals';
import { collectionPath, itemPath, kindCase } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';
import { waitFor } from '../support/wait.ts';

const JOB = kindCase('Job');
const NAMESPACE = 'finished';
const seconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

describeServer('Finished Jobs', (api) => {
  const path = (name: string) => itemPath(JOB, NAMESPACE, name);
  const create = async (name: string, ttlSecondsAfterFinished: number | undefined) => {
    const sample = JOB.sample(name, NAMESPACE);
    const spec = { ...(sample['spec'] as object), ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }) };
    expect((await api.post(collectionPath(JOB, NAMESPACE), { ...sample, spec })).code).toBe(201);
  };
  /** As a Job controller reports it. */
  const finish = async (name: string, type: 'Complete' | 'Failed', atMs: number) => {
    const object = (await api.get(path(name))).object();
    const time = { lastProbeTime: seconds(atMs), lastTransitionTime: seconds(atMs) };
    const conditions = [
      { type: type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', status: 'True', ...time },
      { type, status: 'True', ...time },
    ];
    const status = {
      startTime: seconds(atMs - 10_000),
      ...(type === 'Complete' ? { completionTime: seconds(atMs), succeeded: 1 } : {}),
      conditions,
    };
    const answer = await api.put(`${path(name)}/status`, { ...object, status });
    expect({ code: answer.code, text: answer.code === 200 ? '' : answer.text }).toEqual({ code: 200, text: '' });
  };
  const gone = (name: string) => waitFor(async () => (await api.get(path(name))).code === 404, { what: `the end of ${name}` });

  it('go when their time is up, whether they completed or failed', async () => {
    const now = Date.now();
    await create('complete', 60);
    await create('failed', 0);
    await create('later', 3600);
    await create('for-good', undefined);
    await create('running', 0);
    await finish('later', 'Complete', now);
    await finish('for-good', 'Complete', now - 100_000);
    await finish('complete', 'Complete', now - 60_000);
    await finish('failed', 'Failed', now);
    await Promise.all([gone('complete'), gone('failed')]);
    for (const name of ['later', 'for-good', 'running']) expect((await api.get(path(name))).code).toBe(200);
  });

  it('go when their time to live is set, or shortened, later', async () => {
    await create('shortened', 3600);
    await finish('shortened', 'Complete', Date.now() - 10_000);
    const patched = await api.send('PATCH', path('shortened'), {
      body: JSON.stringify({ spec: { ttlSecondsAfterFinished: 5 } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(patched.code).toBe(200);
    await gone('shortened');
  });

  it('that became due while no server ran go at the next start', async () => {
    await create('due', 2);
    await finish('due', 'Complete', Date.now());
    await api.restart();
    await gone('due');
  });
});
