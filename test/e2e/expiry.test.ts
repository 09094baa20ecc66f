/** What the server forgets: past states that pages and watches would need, and events that are over. */
import { describe, expect, it } from '@jest/globals';
import { CRON_JOB, EVENT, collectionPath, itemPath, type SampleObject } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';
import { waitFor } from '../support/wait.ts';

const namespace = 'expiry';
const collection = collectionPath(CRON_JOB, namespace);

/**
 * Makes every state before now unreadable. The embedded store keeps 16 KiB of history here and drops what is over; etcd
 * is compacted by its own HTTP gateway.
 */
async function forgetThePast(api: Suite): Promise<void> {
  const path = itemPath(CRON_JOB, namespace, 'busy');
  let object = (await api.post(collection, CRON_JOB.sample('busy', namespace))).object();
  for (let step = 0; step < 60; step++) object = (await api.put(path, CRON_JOB.change(object as unknown as SampleObject, step))).object();
  for (const endpoint of api.store.endpoints) {
    const answer = await fetch(`${endpoint}/v3/kv/compaction`, {
      method: 'POST',
      body: JSON.stringify({ revision: object.metadata.resourceVersion, physical: true }),
    });
    expect(answer.status).toBe(200);
  }
  // A server remembers states of its own: the next one has none.
  await api.restart();
}

describeServer(
  'Expiry',
  (api) => {
    describe('a continue token of a state that is gone', () => {
      it('is answered with 410 and a token that goes on behind the last object at the newest state', async () => {
        for (const name of ['a', 'b', 'c', 'd']) await api.post(collection, CRON_JOB.sample(name, namespace));
        const first = (await api.get(`${collection}?limit=2`)).list();
        expect(first.items.map((item) => item.metadata.name)).toEqual(['a', 'b']);
        await forgetThePast(api);
        await api.post(collection, CRON_JOB.sample('c-new', namespace));

        const next = (token: string) => api.get(`${collection}?limit=2&continue=${encodeURIComponent(token)}`);
        await waitFor(async () => (await next(first.metadata.continue ?? '')).code === 410, {
          what: 'the state of the first page to be forgotten',
        });
        const expired = (await next(first.metadata.continue ?? '')).status();
        expect(expired).toMatchObject({ code: 410, reason: 'Expired', status: 'Failure' });
        const second = (await next(expired.metadata.continue ?? '')).list();
        expect(second.items.map((item) => item.metadata.name)).toEqual(['busy', 'c']);
        const third = (await next(second.metadata.continue ?? '')).list();
        expect(third.items.map((item) => item.metadata.name)).toEqual(['c-new', 'd']);
        expect(third.metadata.continue ?? '').toBe('');
      });
    });

    it('an exact list of a state that is gone is answered with 410', async () => {
      const { resourceVersion } = (await api.get(collection)).list().metadata;
      await api.delete(itemPath(CRON_JOB, namespace, 'busy'));
      await forgetThePast(api);
      const path = `${collection}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      await waitFor(async () => (await api.get(path)).code === 410, { what: 'the exact state to be forgotten' });
      expect((await api.get(path)).status().reason).toBe('Expired');
    });

    it('an Event is gone after its time, unless it is written meanwhile, and a watch is told', async () => {
      const events = collectionPath(EVENT, namespace);
      let renewed = (await api.post(events, EVENT.sample('renewed', namespace))).object();
      let writes = 0;
      const renew = async () => {
        const answer = await api.put(itemPath(EVENT, namespace, 'renewed'), EVENT.change(renewed as unknown as SampleObject, ++writes));
        expect(answer.code).toBe(200);
        renewed = answer.object();
      };
      const from = (await api.get(events)).list().metadata.resourceVersion;
      const stream = await api.watch(`${events}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3Dshort`);
      const created = (await api.post(events, EVENT.sample('short', namespace))).object();
      expect(await stream.next()).toEqual({ type: 'ADDED', object: created });
      // What is due is swept every few seconds.
      const isTold = async () => {
        await renew();
        return stream.pending().length > 0;
      };
      await waitFor(isTold, { what: 'the event to expire', timeoutMs: 20_000, everyMs: 250 });
      const deleted = await stream.next();
      stream.close();
      expect(deleted).toMatchObject({ type: 'DELETED', object: { metadata: { uid: created.metadata.uid } } });
      expect((await api.get(itemPath(EVENT, namespace, 'short'))).code).toBe(404);
      expect((await api.get(itemPath(EVENT, namespace, 'renewed'))).object()).toEqual(renewed);
    });
  },
  { flags: ['--event-ttl', '4s', '--history-max-bytes', '16Ki'] },
);
