/** Two servers over one etcd: what one has acknowledged, the other never hides. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CRON_JOB, collectionPath, itemPath, type SampleObject } from '../support/kinds.ts';
import { startServer, type ServerProcess } from '../support/server.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const namespace = 'two';
const collection = collectionPath(CRON_JOB, namespace);
const path = (name: string) => itemPath(CRON_JOB, namespace, name);

describe('Two servers on one etcd', () => {
  let store: TestStore;
  let left: ServerProcess;
  let right: ServerProcess;
  beforeAll(async () => {
    store = await openTestStore('etcd');
    [left, right] = await Promise.all([startServer(store.flags), startServer(store.flags)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([left.stop(), right.stop()]);
    await store.close();
  }, 30_000);

  it('show each other every acknowledged write at once, in GET and in LIST', async () => {
    let object = (await left.post(collection, CRON_JOB.sample('shared', namespace))).object();
    for (let step = 0; step < 150; step++) {
      const [writer, reader] = step % 2 === 0 ? [left, right] : [right, left];
      object = (await writer.put(path('shared'), CRON_JOB.change(object as unknown as SampleObject, step))).object();
      const [got, listed] = await Promise.all([reader.get(path('shared')), reader.get(collection)]);
      expect(got.object()).toEqual(object);
      expect(listed.list().items.map((item) => item.metadata.resourceVersion)).toEqual([object.metadata.resourceVersion]);
    }
  });

  it('lose no patch when many writers patch one object through both; who is refused gets a 409', async () => {
    const name = 'crowded';
    await left.post(collection, CRON_JOB.sample(name, namespace));
    const writers = Array.from({ length: 50 }, (_, index) => index);
    const answers = await Promise.all(
      writers.map((index) =>
        (index % 2 === 0 ? left : right).send('PATCH', path(name), {
          body: JSON.stringify({ metadata: { annotations: { [`writer-${index}`]: 'was here' } } }),
          headers: { 'content-type': 'application/merge-patch+json' },
        }),
      ),
    );
    const taken = writers.filter((index) => answers[index]?.code === 200);
    expect(answers.filter(({ code }) => code !== 200 && code !== 409).map(({ text }) => text)).toEqual([]);
    expect(taken.length).toBeGreaterThan(0);
    const { annotations = {} } = (await left.get(path(name))).object().metadata;
    expect(Object.keys(annotations).sort()).toEqual(taken.map((index) => `writer-${index}`).sort());
  });

  it('never answer with an older state while others write, however the two are mixed', async () => {
    const name = 'rising';
    await left.post(collection, CRON_JOB.sample(name, namespace));
    let acknowledged = 0;
    let writing = true;
    const writer = (async () => {
      for (let step = 0; step < 200; step++) {
        const server = step % 2 === 0 ? left : right;
        const object = (await server.get(path(name))).object();
        const answer = await server.put(path(name), CRON_JOB.change(object as unknown as SampleObject, step));
        if (answer.code === 200) acknowledged = Number(answer.object().metadata.resourceVersion);
      }
      writing = false;
    })();
    const readers = [left, right, left, right].map(async (server) => {
      while (writing) {
        const least = acknowledged;
        const read = Number((await server.get(path(name))).object().metadata.resourceVersion);
        expect(read).toBeGreaterThanOrEqual(least);
      }
    });
    await Promise.all([writer, ...readers]);
  });

  it('let one of two creators of the same name win, and the other knows', async () => {
    for (let index = 0; index < 20; index++) {
      const sample = CRON_JOB.sample(`once-${index}`, namespace);
      const codes = (await Promise.all([left.post(collection, sample), right.post(collection, sample)])).map((answer) => answer.code);
      expect(codes.sort()).toEqual([201, 409]);
    }
  });

  it('refuse nothing because of a state that is over: deleted on one, created again on the other', async () => {
    for (let index = 0; index < 30; index++) {
      const [first, second] = index % 2 === 0 ? [left, right] : [right, left];
      expect((await first.post(collection, CRON_JOB.sample('phoenix', namespace))).code).toBe(201);
      expect((await second.delete(path('phoenix'))).code).toBe(200);
      expect((await first.get(path('phoenix'))).code).toBe(404);
    }
  });

  it('continue each other’s pages', async () => {
    const pages = collectionPath(CRON_JOB, 'two-pages');
    for (let index = 0; index < 9; index++) await left.post(pages, CRON_JOB.sample(`p-${index}`, 'two-pages'));
    const whole = (await left.get(pages)).list();
    const items: unknown[] = [];
    let token = '';
    for (let page = 0; page < 3; page++) {
      const list = (await (page % 2 === 0 ? left : right).get(`${pages}?limit=3&continue=${encodeURIComponent(token)}`)).list();
      items.push(...list.items);
      token = list.metadata.continue ?? '';
      await right.post(pages, CRON_JOB.sample(`p-9-${page}`, 'two-pages'));
    }
    expect(items).toEqual(whole.items);
  });

  it('send each other’s writes to their watches', async () => {
    const from = (await right.get(collection)).list().metadata.resourceVersion;
    const stream = await right.watch(`${collection}?watch=true&resourceVersion=${from}`);
    const written = [];
    for (let index = 0; index < 20; index++)
      written.push((await left.post(collection, CRON_JOB.sample(`seen-${index}`, namespace))).object());
    expect((await stream.take(20)).map(({ object }) => object)).toEqual(written);
    stream.close();
  });
});

describe('Two servers on one etcd, the watch of one held back', () => {
  let store: TestStore;
  let proxy: TcpProxy;
  let ahead: ServerProcess;
  let behind: ServerProcess;
  beforeAll(async () => {
    store = await openTestStore('etcd');
    const { hostname, port } = new URL(store.endpoints[0] ?? '');
    proxy = await openTcpProxy({ host: hostname, port: Number(port) });
    const flags = store.flags.map((flag) => (flag === store.endpoints.join(',') ? `http://${proxy.host}:${proxy.port}` : flag));
    [ahead, behind] = await Promise.all([startServer(store.flags), startServer(flags)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([ahead.stop(), behind.stop()]);
    await proxy.close();
    await store.close();
  }, 30_000);

  it('neither reads what is over nor refuses because of it', async () => {
    const created = (await ahead.post(collection, CRON_JOB.sample('changed', namespace))).object();
    await ahead.post(collection, CRON_JOB.sample('removed', namespace));
    expect((await behind.get(path('changed'))).object()).toEqual(created);

    // The second connection of the backend is its watch; the calls go on.
    proxy.holdReplies(true, 1);
    const changed = (await ahead.put(path('changed'), CRON_JOB.change(created as unknown as SampleObject, 1))).object();
    await ahead.delete(path('removed'));
    await ahead.post(collection, CRON_JOB.sample('added', namespace));
    const [one, gone, added, list] = await Promise.all([
      behind.get(path('changed')),
      behind.get(path('removed')),
      behind.get(path('added')),
      behind.get(collection),
    ]);
    expect(one.object()).toEqual(changed);
    expect(gone.code).toBe(404);
    expect(added.code).toBe(200);
    expect(list.list().items.map(({ metadata }) => metadata.name)).toEqual(['added', 'changed']);

    const again = await behind.put(path('changed'), CRON_JOB.change(changed as unknown as SampleObject, 2));
    expect(again.code).toBe(200);
    expect((await behind.put(path('changed'), CRON_JOB.change(created as unknown as SampleObject, 3))).code).toBe(409);
    expect((await behind.post(collection, CRON_JOB.sample('removed', namespace))).code).toBe(201);
    expect((await behind.post(collection, CRON_JOB.sample('added', namespace))).code).toBe(409);
    expect((await behind.delete(path('added'))).code).toBe(200);
    expect((await ahead.get(path('added'))).code).toBe(404);
    proxy.holdReplies(false, 1);
  });
});
