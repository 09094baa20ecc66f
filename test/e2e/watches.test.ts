/** What a watch stream holds, where it begins, and how it ends. */
import { describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import { CRON_JOB, VOLUME_ATTACHMENT, collectionPath, itemPath, watchPath, type SampleObject } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';
import { deadline } from '../support/wait.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** A namespace of its own for one test. */
function room(api: Suite, namespace: string) {
  const collection = collectionPath(CRON_JOB, namespace);
  return {
    collection,
    create: async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<ApiObject> => {
      const sample = CRON_JOB.sample(name, namespace);
      return (await api.post(collection, { ...sample, metadata: { ...sample.metadata, labels } })).object();
    },
    change: async (object: ApiObject, step: number, labels?: Readonly<Record<string, string>>): Promise<ApiObject> => {
      const changed = CRON_JOB.change(object as unknown as SampleObject, step);
      const metadata = labels === undefined ? changed.metadata : { ...changed.metadata, labels };
      return (await api.put(itemPath(CRON_JOB, namespace, object.metadata.name), { ...changed, metadata })).object();
    },
    remove: (name: string) => api.delete(itemPath(CRON_JOB, namespace, name)),
    version: async () => (await api.get(collection)).list().metadata.resourceVersion,
  };
}
const brief = (event: { type: string; object: ApiObject }) => `${event.type} ${event.object.metadata.name}`;

describeServer('Watches', (api) => {
  describe('that name a resourceVersion', () => {
    it('show every change after it and none before', async () => {
      const { collection, create, change, version } = room(api, 'watch-from');
      const first = await create('first');
      const from = await version();
      const second = await create('second');
      const changed = await change(first, 1);
      const stream = await api.watch(`${collection}?watch=true&resourceVersion=${from}`);
      expect((await stream.take(2)).map(({ object }) => object)).toEqual([second, changed]);
      stream.close();
    });

    it('show changes of their namespace only', async () => {
      const mine = room(api, 'watch-mine');
      const other = room(api, 'watch-other');
      const stream = await api.watch(`${mine.collection}?watch=true&resourceVersion=${await mine.version()}`);
      await other.create('elsewhere');
      await mine.create('here');
      expect(brief(await stream.next())).toBe('ADDED here');
      stream.close();
    });

    it('in the future stay silent until it is reached', async () => {
      const { collection, create, version } = room(api, 'watch-future');
      const from = Number(await version()) + 2;
      const stream = await api.watch(`${collection}?watch=true&resourceVersion=${from}`);
      const seen = [await create('one'), await create('two'), await create('three')].filter(
        (object) => Number(object.metadata.resourceVersion) > from,
      );
      expect((await stream.take(seen.length)).map(({ object }) => object)).toEqual(seen);
      stream.close();
    });
  });

  describe('without a resourceVersion', () => {
    it.each(['', '&resourceVersion=0'])('begin with ADDED for everything there is (%s)', async (from) => {
      const { collection, create, change } = room(api, `watch-all${from.length}`);
      const [one, two] = [await create('one'), await create('two')];
      const stream = await api.watch(`${collection}?watch=true${from}`);
      const initial = await stream.take(2);
      expect(initial).toEqual([
        { type: 'ADDED', object: one },
        { type: 'ADDED', object: two },
      ]);
      const changed = await change(one, 1);
      expect(await stream.next()).toEqual({ type: 'MODIFIED', object: changed });
      stream.close();
    });
  });

  describe('with sendInitialEvents', () => {
    const initial = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

    it('begin with the state, then a bookmark that closes it, then changes', async () => {
      const { collection, create, remove } = room(api, 'watch-list');
      const objects = [await create('a'), await create('b'), await create('c')];
      const stream = await api.watch(`${collection}?${initial}`);
      const events = await stream.until(({ type }) => type === 'BOOKMARK');
      expect(events.slice(0, -1)).toEqual(objects.map((object) => ({ type: 'ADDED', object })));
      const bookmark = events.at(-1)?.object;
      expect(bookmark).toMatchObject({
        kind: 'CronJob',
        apiVersion: 'batch/v1',
        metadata: { annotations: { [INITIAL_EVENTS_END]: 'true' } },
      });
      expect(Number(bookmark?.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(objects[2]?.metadata.resourceVersion));
      await remove('b');
      expect(brief(await stream.next())).toBe('DELETED b');
      stream.close();
    });

    it('begin with the bookmark when there is nothing', async () => {
      const stream = await api.watch(`${collectionPath(CRON_JOB, 'watch-list-empty')}?${initial}`);
      expect((await stream.next()).object.metadata.annotations).toEqual({ [INITIAL_EVENTS_END]: 'true' });
      stream.close();
    });

    it('have no bookmark that was not asked for', async () => {
      const { collection, create } = room(api, 'watch-list-quiet');
      await create('a');
      const stream = await api.watch(`${collection}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
      await stream.next();
      await create('b');
      expect(brief(await stream.next())).toBe('ADDED b');
      stream.close();
    });

    it('=false show only what changes from now on', async () => {
      const { collection, create } = room(api, 'watch-list-false');
      await create('old');
      const stream = await api.watch(`${collection}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`);
      await create('new');
      expect(brief(await stream.next())).toBe('ADDED new');
      stream.close();
    });

    it.each(['limit=1', 'limit=1&continue=x'])('ignore %s', async (options) => {
      const { collection, create, version } = room(api, `watch-ignores-${options.length}`);
      const from = await version();
      const stream = await api.watch(`${collection}?watch=true&resourceVersion=${from}&${options}`);
      await create('one');
      await create('two');
      expect((await stream.take(2)).map(brief)).toEqual(['ADDED one', 'ADDED two']);
      stream.close();
    });

    it('start at a state that holds every write acknowledged before', async () => {
      const { collection, create } = room(api, 'watch-list-fresh');
      for (let index = 0; index < 10; index++) {
        const object = await create(`n-${index}`);
        const stream = await api.watch(`${collection}?${initial}`);
        const events = await stream.until(({ type }) => type === 'BOOKMARK');
        expect(events.map(({ object: { metadata } }) => metadata.uid)).toContain(object.metadata.uid);
        stream.close();
      }
    });

    it.each([
      'watch=true&sendInitialEvents=true',
      'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact',
      'watch=true&sendInitialEvents=false',
      'watch=true&resourceVersionMatch=NotOlderThan',
      'watch=true&continue=x',
      'watch=true&resourceVersion=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x',
    ])('are refused as Invalid when the options contradict: %s', async (query) => {
      const answer = await api.get(`${collectionPath(CRON_JOB, 'x')}?${query}`);
      expect(answer.code).toBe(422);
      expect(answer.status().reason).toBe('Invalid');
    });
  });

  describe('with a selector', () => {
    it('turn a change that enters the selection into ADDED and one that leaves it into DELETED', async () => {
      const { collection, create, change, remove, version } = room(api, 'watch-select');
      const stream = await api.watch(`${collection}?watch=true&labelSelector=in%3Dyes&resourceVersion=${await version()}`);
      const outside = await create('x');
      const entered = await change(outside, 1, { in: 'yes' });
      const stayed = await change(entered, 2, { in: 'yes', more: '1' });
      const left = await change(stayed, 3, { in: 'no' });
      await change(left, 4, { in: 'never' });
      await remove('x');
      const last = await create('y', { in: 'yes' });
      const events = await stream.take(4);
      stream.close();
      expect(events.map(brief)).toEqual(['ADDED x', 'MODIFIED x', 'DELETED x', 'ADDED y']);
      expect(events[0]?.object).toEqual(entered);
      expect(events[1]?.object).toEqual(stayed);
      expect(events[2]?.object).toEqual({ ...stayed, metadata: { ...stayed.metadata, resourceVersion: left.metadata.resourceVersion } });
      expect(events[3]?.object).toEqual(last);
    });

    it('hold one name when a field selector says so', async () => {
      const { collection, create, version } = room(api, 'watch-name');
      const stream = await api.watch(`${collection}?watch=true&fieldSelector=metadata.name%3Dtwo&resourceVersion=${await version()}`);
      await create('one');
      await create('two');
      expect(brief(await stream.next())).toBe('ADDED two');
      stream.close();
    });

    it('are refused when a /watch/ path names another object', async () => {
      const path = watchPath(CRON_JOB, itemPath(CRON_JOB, 'x', 'one'));
      expect((await api.get(`${path}?fieldSelector=metadata.name%3Dtwo`)).status().code).toBe(400);
    });
  });

  describe('that end', () => {
    it('do so cleanly after timeoutSeconds', async () => {
      const stream = await api.watch(`${collectionPath(CRON_JOB, 'watch-timeout')}?watch=true&timeoutSeconds=1`);
      await expect(deadline(stream.ended, 5000, 'the watch to end')).resolves.toBe('end');
    });

    it('leave the server serving when many are dropped at once', async () => {
      const { collection, create } = room(api, 'watch-drop');
      const streams = await Promise.all(Array.from({ length: 200 }, () => api.watch(`${collection}?watch=true`)));
      for (const stream of streams) stream.close();
      expect((await create('after')).metadata.name).toBe('after');
    });
  });

  it('carry a last bookmark when asked, whose resourceVersion a watch can go on from', async () => {
    const collection = collectionPath(VOLUME_ATTACHMENT, '');
    const before = await api.watch(`${collection}?watch=true&allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=2`);
    const created = (await api.post(collection, VOLUME_ATTACHMENT.sample('bookmarked', ''))).object();
    await before.until(({ type }) => type === 'ADDED');
    expect(await before.ended).toBe('end');
    const bookmark = before.pending().at(-1);
    expect(bookmark?.type).toBe('BOOKMARK');
    expect(bookmark?.object.metadata).toEqual({ resourceVersion: expect.any(String) });
    const from = bookmark?.object.metadata.resourceVersion ?? '';
    expect(Number(from)).toBeGreaterThanOrEqual(Number(created.metadata.resourceVersion));
    const after = await api.watch(`${collection}?watch=true&resourceVersion=${from}`);
    await api.post(collection, VOLUME_ATTACHMENT.sample('after-bookmark', ''));
    expect(brief(await after.next())).toBe('ADDED after-bookmark');
    after.close();
  });

  it('deliver every change exactly once and in order to many streams under concurrent writers', async () => {
    const { collection, create, version } = room(api, 'watch-many');
    const from = await version();
    const streams = await Promise.all(Array.from({ length: 20 }, () => api.watch(`${collection}?watch=true&resourceVersion=${from}`)));
    const written = await Promise.all(Array.from({ length: 100 }, (_, index) => create(`m-${index}`)));
    const expected = written.map(({ metadata }) => Number(metadata.resourceVersion)).sort((a, b) => a - b);
    for (const stream of streams) {
      const versions = (await stream.take(100)).map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual(expected);
      expect(stream.pending()).toEqual([]);
      stream.close();
    }
  });
});
