/**
 * What clients are told whose history is gone: pages, watches and exact reads of a state that the store has forgotten.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openTestBackend } from '../support/etcd-backend.ts';
import { CRON_JOB, collectionPath, itemPath } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';
import { waitFor } from '../support/wait.ts';

const NAMESPACE = 'lost';
const COLLECTION = collectionPath(CRON_JOB, NAMESPACE);
const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** The embedded store drops its history beyond so much by itself, etcd when it is told to. */
const HISTORY_BYTES = 100_000;

const sample = (name: string, annotations: Readonly<Record<string, string>>) => {
  const { metadata, ...rest } = CRON_JOB.sample(name, NAMESPACE);
  return { ...rest, metadata: { ...metadata, annotations } };
};

/** No state before this call can be read any more, and nothing that the server remembers is left of one. */
async function forget(api: Suite): Promise<void> {
  let step = 0;
  const write = async () => {
    const bulk = { step: String(step++), bulk: 'x'.repeat(HISTORY_BYTES / 4) };
    return (await api.put(itemPath(CRON_JOB, NAMESPACE, 'e'), sample('e', bulk))).object().metadata.resourceVersion;
  };
  const last = await write();
  await write();
  const [endpoint] = api.store.endpoints;
  if (endpoint !== undefined) {
    const { backend } = await openTestBackend({ servers: [endpoint] });
    await backend.compact(await backend.currentRevision());
    await backend.close();
  }
  const isGone = async () => {
    await write();
    return (await api.get(`${COLLECTION}?resourceVersion=${last}&resourceVersionMatch=Exact`)).code === 410;
  };
  await waitFor(isGone, { what: 'the history to be dropped' });
  await api.restart();
}

describeServer(
  'Of history that is gone',
  (api) => {
    let revision: string;
    let token: string;
    const path = (query: Readonly<Record<string, string>>) => `${COLLECTION}?${new URLSearchParams(query).toString()}`;
    const namesOf = async (query: Readonly<Record<string, string>>) =>
      (await api.get(path(query))).list().items.map(({ metadata }) => metadata.name);

    beforeAll(async () => {
      for (const name of NAMES) expect((await api.post(COLLECTION, sample(name, {}))).code).toBe(201);
      const page = (await api.get(path({ limit: '2' }))).list();
      revision = page.metadata.resourceVersion;
      token = page.metadata.continue ?? '';
      expect((await api.delete(itemPath(CRON_JOB, NAMESPACE, 'd'))).code).toBe(200);
      await forget(api);
    }, 60_000);

    it('a page is refused with 410 Expired, and a token that leads on through the newest state', async () => {
      const refused = (await api.get(path({ limit: '2', continue: token }))).status();
      expect(refused).toMatchObject({ code: 410, reason: 'Expired', metadata: { continue: expect.any(String) } });
      const again = refused.metadata.continue ?? '';
      expect(again).not.toBe(token);
      expect(await namesOf({ limit: '2', continue: again })).toEqual(['c', 'e']);
      expect(await namesOf({ continue: again })).toEqual(['c', 'e']);
      const page = (await api.get(path({ limit: '1', continue: again }))).list();
      expect([page.items.map(({ metadata }) => metadata.name), page.metadata.remainingItemCount]).toEqual([['c'], 1]);
      expect(Number(page.metadata.resourceVersion)).toBeGreaterThan(Number(revision));
      // From there on it is one state again.
      expect(await namesOf({ limit: '1', continue: page.metadata.continue ?? '' })).toEqual(['e']);
    });

    it('a page of a store that has counted further is refused in the same way', async () => {
      // As after a restore from a backup, or when another store took the place of the first.
      const content = { ...(JSON.parse(Buffer.from(token, 'base64url').toString()) as object), rv: Number(revision) + 1_000_000 };
      const ahead = Buffer.from(JSON.stringify(content)).toString('base64url');
      const refused = (await api.get(path({ limit: '2', continue: ahead }))).status();
      expect(refused).toMatchObject({ code: 410, reason: 'Expired' });
      expect(await namesOf({ continue: refused.metadata.continue ?? '' })).toEqual(['c', 'e']);
    });

    it('a delete of the rest of a collection is refused, and takes nothing', async () => {
      expect((await api.delete(path({ limit: '2', continue: token }))).status()).toMatchObject({ code: 410, reason: 'Expired' });
      expect(await namesOf({})).toEqual(['a', 'b', 'c', 'e']);
    });

    it.each([{ resourceVersionMatch: 'Exact' }, { limit: '2' }])('a list of exactly that state is refused: %j', async (more) => {
      expect((await api.get(path({ resourceVersion: revision, ...more }))).status()).toMatchObject({ code: 410, reason: 'Expired' });
    });

    it('a list that may be newer is served', async () => {
      expect(await namesOf({ resourceVersion: revision })).toEqual(['a', 'b', 'c', 'e']);
    });

    describe('a watch', () => {
      it.each([{}, { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan' }])(
        'is told so in its stream, which then ends: %j',
        async (more) => {
          const stream = await api.watch(path({ watch: 'true', resourceVersion: revision, ...more }));
          expect(await stream.next()).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
          expect(await stream.ended).toBe('end');
          expect(stream.pending()).toEqual([]);
        },
      );

      it('that begins with the state shows a newer one', async () => {
        const stream = await api.watch(
          path({
            watch: 'true',
            resourceVersion: revision,
            sendInitialEvents: 'true',
            resourceVersionMatch: 'NotOlderThan',
            allowWatchBookmarks: 'true',
          }),
        );
        const events = await stream.until(({ type }) => type === 'BOOKMARK');
        expect(events.map(({ object }) => object.metadata.name)).toEqual(['a', 'b', 'c', 'e', undefined]);
        stream.close();
      });
    });
  },
  { flags: ['--history-max-bytes', String(HISTORY_BYTES)] },
);
