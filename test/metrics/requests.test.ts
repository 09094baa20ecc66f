/** The series that requests leave in `/metrics`. What each metric means stands in docs/metrics.md. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cronJobsIn, openInProcessApi, type InProcessApi } from '../support/in-process-api.ts';

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
});
afterAll(() => api.close());

/** The values of a metric's series, by their labels as they are written. */
async function seriesOf(name: string): Promise<ReadonlyMap<string, number>> {
  const lines = (await api.metrics()).matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'));
  return new Map([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}

it('Each request is counted once, by its verb, resource and code.', async () => {
  const { create, read } = cronJobsIn('counted', () => api);
  const ofVerb = async (verb: string, code: number) =>
    [...(await seriesOf('apiserver_request_total'))]
      .filter(
        ([labels]) => labels.startsWith(`verb="${verb}"`) && labels.includes('resource="cronjobs"') && labels.endsWith(`code="${code}"`),
      )
      .map(([, value]) => value);
  expect(await ofVerb('POST', 201)).toEqual([]);
  await create('a');
  expect([await ofVerb('POST', 201), await ofVerb('GET', 200)]).toEqual([[1], []]);
  await create('b');
  await read('a');
  expect([await ofVerb('POST', 201), await ofVerb('GET', 200)]).toEqual([[2], [1]]);
});

it('A read is counted by the watch cache that answers it.', async () => {
  const { create, read } = cronJobsIn('read', () => api);
  const answered = async () => (await seriesOf('apiserver_watch_cache_consistent_read_total')).get('success="true"') ?? 0;
  await create('a');
  const before = await answered();
  await read('a');
  expect((await answered()) - before).toBe(1);
});
