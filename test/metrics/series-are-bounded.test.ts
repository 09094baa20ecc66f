/** Whatever clients send, it makes no series of its own: labels come from closed sets. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openInProcessApi, type InProcessApi } from '../support/in-process-api.ts';

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: ({ verb }) => ({ decision: verb === 'delete' ? 'noOpinion' : 'allow' }) });
});
afterAll(() => api.close());

const seriesCount = async (): Promise<number> => [...(await api.metrics()).matchAll(/^[a-z].*\} /gm)].length;

async function sendStrange(round: number): Promise<void> {
  const headers = { 'user-agent': `agent-${round}/1.0`, 'audit-id': `id-${round}`, 'x-forwarded-for': `192.0.2.${round}` };
  const targets = [
    `/path-${round}`,
    `/apis/group-${round}/v1/things`,
    `/apis/batch/v${round}/cronjobs`,
    `/apis/batch/v1/namespaces/n${round}/resource-${round}`,
    `/apis/batch/v1/namespaces/n${round}/cronjobs/c${round}`,
    `/apis/batch/v1/namespaces/n/cronjobs/c/sub-${round}`,
    `/api/v1/namespaces/n/secrets?dryRun=${round}&fieldManager=m${round}`,
  ];
  for (const target of targets) {
    for (const method of [`METHOD${round}`, 'GET', 'DELETE']) {
      // Some answers are no JSON, which the client of this test does not read.
      await api.send(method, target, '', `type/${round}`, headers).catch(() => undefined);
    }
  }
}

it('Methods, paths, names, agents and addresses are no labels.', async () => {
  await sendStrange(100);
  const before = await seriesCount();
  for (let round = 101; round < 131; round++) await sendStrange(round);
  expect(before).toBeGreaterThan(100);
  expect(await seriesCount()).toBe(before);
});
