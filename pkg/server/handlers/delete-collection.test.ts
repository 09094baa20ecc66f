import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cronJobsIn, type InProcessApi, MERGE, openInProcessApi, refusalOf } from '../../../test/support/in-process-api.ts';
import type { ObjectStore } from '../../registry/object-store.ts';

let api: InProcessApi | undefined;
/** Runs between the list of a page and the deletes of its objects. */
let happens: (() => Promise<unknown>) | undefined;
let rooms = 0;

const opened = (): InProcessApi => {
  if (api === undefined) throw new Error('the API is not open');
  return api;
};

/** Cron jobs in a namespace of this test alone. */
function room() {
  const namespace = `room-${++rooms}`;
  const collection = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
  const jobs = cronJobsIn(namespace, opened);
  return {
    ...jobs,
    deleteSelected: (query: string) => opened().send('DELETE', `${collection}?${query}`, ''),
    deleteWith: (body: unknown) => opened().send('DELETE', collection, body, 'application/json'),
    /** Reads the newest state without deleting, so that reads of any state include earlier writes. */
    catchUp: () => opened().send('DELETE', `${collection}?labelSelector=of%3Dnone`, ''),
    statusOf: async (name: string) => (await opened().send('GET', jobs.item(name), '')).code,
  };
}

describe('a delete of a collection', () => {
  beforeAll(async () => {
    const store = (own: ObjectStore): ObjectStore => ({
      ...own,
      list: async (...query) => {
        const found = await own.list(...query);
        await happens?.();
        return found;
      },
    });
    api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) }, { store });
  });
  afterEach(() => (happens = undefined));
  afterAll(() => opened().close());

  it('spares an object that leaves the selection before its turn comes', async () => {
    const { create, patch, deleteSelected, statusOf } = room();
    happens = () => patch('moved', MERGE, { metadata: { labels: { team: 'b' } } });
    await create('moved', { labels: { team: 'a' } });
    await create('stays', { labels: { team: 'a' } });
    const answer = await deleteSelected('labelSelector=team%3Da');
    expect([answer.code, await statusOf('moved'), await statusOf('stays')]).toEqual([200, 200, 404]);
  });

  it.each(['0', '00'])('deletes no more than its limit, of a state of any age too: resourceVersion=%s', async (resourceVersion) => {
    const { create, catchUp, deleteSelected, statusOf } = room();
    for (const name of ['a', 'b', 'c']) await create(name, {});
    await catchUp();
    const answer = await deleteSelected(`limit=1&resourceVersion=${resourceVersion}`);
    expect(answer.code).toBe(200);
    expect(await Promise.all(['a', 'b', 'c'].map(statusOf))).toEqual([404, 200, 200]);
  });

  it('spares an object that has taken the place of the one that was selected', async () => {
    const { create, item, deleteSelected, statusOf } = room();
    let first = true;
    happens = async () => {
      if (!first) return;
      first = false;
      await opened().send('DELETE', item('replaced'), '');
      await create('replaced', { labels: { team: 'a' } });
    };
    await create('replaced', { labels: { team: 'a' } });
    expect((await deleteSelected('labelSelector=team%3Da')).code).toBe(200);
    expect(await statusOf('replaced')).toBe(200);
  });

  it('takes no new object that comes while it is under way', async () => {
    const { create, deleteSelected, statusOf } = room();
    let count = 0;
    happens = () => create(`new-${count++}`);
    await create('old');
    await deleteSelected('');
    expect([await statusOf('old'), await statusOf('new-0')]).toEqual([404, 200]);
  });

  it('answers a Status that names the resource, and the way on behind a limit', async () => {
    const { create, deleteSelected, statusOf } = room();
    for (const name of ['a', 'b', 'c']) await create(name);
    const first = await deleteSelected('limit=2');
    expect(JSON.parse(first.text)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: { continue: expect.any(String), remainingItemCount: 1 },
      status: 'Success',
      details: { group: 'batch', kind: 'cronjobs' },
    });
    expect([await statusOf('a'), await statusOf('b'), await statusOf('c')]).toEqual([404, 404, 200]);
    const { metadata } = first.body;
    const rest = await deleteSelected(`limit=2&continue=${encodeURIComponent(String(metadata['continue']))}`);
    expect([rest.code, rest.body.metadata, await statusOf('c')]).toEqual([200, {}, 404]);
  });

  it('holds each object to the preconditions, and stops at the first that does not meet them', async () => {
    const { create, deleteSelected, deleteWith, statusOf } = room();
    const { metadata } = await create('a');
    await create('b');
    expect(refusalOf(await deleteWith({ preconditions: { uid: 'another' } }))).toBe('409 Conflict');
    expect(refusalOf(await deleteWith({ preconditions: { resourceVersion: '1' } }))).toBe('409 Conflict');
    expect(refusalOf(await deleteSelected('uid=another'))).toBe('409 Conflict');
    expect([await statusOf('a'), await statusOf('b')]).toEqual([200, 200]);
    expect(refusalOf(await deleteWith({ preconditions: { uid: metadata['uid'] } }))).toBe('409 Conflict');
    expect([await statusOf('a'), await statusOf('b')]).toEqual([404, 200]);
  });

  it.each([
    ['', 404, 200],
    ['&limit=10', 404, 200],
    ['&resourceVersionMatch=Exact', 404, 200],
    ['&resourceVersionMatch=NotOlderThan', 404, 404],
  ])(
    'reads resourceVersion in the query as the state that is listed, and deletes nothing newer unless it is told to: %s',
    async (match, ...left) => {
      const { create, catchUp, deleteSelected, statusOf } = room();
      const { metadata } = await create('then');
      await create('later');
      await catchUp();
      const answer = await deleteSelected(`resourceVersion=${String(metadata['resourceVersion'])}${match}`);
      expect([answer.code, await statusOf('then'), await statusOf('later')]).toEqual([200, ...left]);
    },
  );

  it.each([
    ['dryRun=Some', '422 Invalid dryRun:FieldValueNotSupported'],
    ['propagationPolicy=', '422 Invalid propagationPolicy:FieldValueNotSupported'],
    ['propagationPolicy=Orphan&orphanDependents=true', '422 Invalid propagationPolicy:FieldValueInvalid'],
    ['gracePeriodSeconds=-1', '422 Invalid gracePeriodSeconds:FieldValueInvalid'],
    ['sendInitialEvents=true', '422 Invalid sendInitialEvents:FieldValueForbidden'],
    ['resourceVersionMatch=Exact', '422 Invalid resourceVersionMatch:FieldValueForbidden'],
    ['labelSelector=a,,b', '400 BadRequest'],
    ['continue=broken', '400 BadRequest'],
    ['shardSelector=x', '400 BadRequest'],
  ])('with %s deletes nothing: %s', async (query, expected) => {
    const { create, deleteSelected, statusOf } = room();
    await create('kept');
    expect(refusalOf(await deleteSelected(query))).toBe(expected);
    expect(await statusOf('kept')).toBe(200);
  });

  it('selects Events by the fields of the version that is asked', async () => {
    const events = '/api/v1/namespaces/core-events/events';
    const event = (name: string, type: string) => ({
      metadata: { name, namespace: 'core-events' },
      involvedObject: { kind: 'CronJob', namespace: 'core-events', name: `${name}-job` },
      type,
    });
    for (const name of ['first', 'second']) {
      expect(refusalOf(await opened().send('POST', events, event(name, 'Normal'), 'application/json'))).toBe('201 ');
    }
    expect((await opened().send('DELETE', `${events}?fieldSelector=involvedObject.name%3Dfirst-job`, '')).code).toBe(200);
    const codes = ['first', 'second'].map(async (name) => (await opened().send('GET', `${events}/${name}`, '')).code);
    expect(await Promise.all(codes)).toEqual([404, 200]);
  });

  it('of a dry run deletes nothing', async () => {
    const { create, deleteSelected, statusOf } = room();
    await create('kept');
    expect((await deleteSelected('dryRun=All')).code).toBe(200);
    expect(await statusOf('kept')).toBe(200);
  });

  it('marks what finalizers hold, and what a policy lets the collector hold', async () => {
    const { create, read, deleteSelected } = room();
    await create('held', { finalizers: ['example.com/hold'] });
    await create('plain');
    expect((await deleteSelected('propagationPolicy=Foreground')).code).toBe(200);
    expect((await read('held')).metadata).toMatchObject({
      finalizers: ['example.com/hold', 'foregroundDeletion'],
      deletionTimestamp: expect.any(String),
    });
    expect((await read('plain')).metadata).toMatchObject({
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: expect.any(String),
    });
  });
});
