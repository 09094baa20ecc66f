import assert from 'node:assert/strict';
import { V1MicroTime } from '@kubernetes/client-node';
import { NAME, type Story } from './shared.ts';

/** The client has no recorder, so the typed API has to do. */
export async function events({ events: api, namespace }: Story): Promise<void> {
  const record = (name: string, reason: string) =>
    api.createNamespacedEvent({
      namespace,
      body: {
        metadata: { generateName: `${name}-` },
        eventTime: new V1MicroTime(),
        type: 'Normal',
        reason,
        action: 'Tell',
        note: `what happened to ${name}`,
        reportingController: 'example.com/story',
        reportingInstance: 'story-0',
        regarding: { apiVersion: 'batch/v1', kind: 'CronJob', namespace, name },
      },
    });
  const recorded = await record(NAME, 'Told');
  await record('another', 'Told');
  const { items } = await api.listNamespacedEvent({ namespace, fieldSelector: `regarding.name=${NAME},reason=Told` });
  assert.deepEqual(
    items.map(({ metadata, note }) => [metadata?.name, note]),
    [[recorded.metadata?.name, `what happened to ${NAME}`]],
  );
  await api.deleteCollectionNamespacedEvent({ namespace });
  assert.deepEqual((await api.listNamespacedEvent({ namespace })).items, []);
}
