/** Events as the core version has them: the same stored ones, under the names that most clients know them by. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { viewsOf } from '../../pkg/apis/kind-view.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { parseEnvelope, writeEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { describeServer } from '../support/stores.ts';

const TIME = '2026-03-14T15:09:26.535897Z';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const META = `g=meta.${DEFAULT_GROUP_SUFFIX};v=v1`;

const about = (namespace: string, name = 'nightly') => ({ kind: 'CronJob', namespace, name });
/** What recorders of the older kind send. */
const older = (name: string, namespace: string, more: object = {}) => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name },
  involvedObject: about(namespace),
  reason: 'Done',
  message: 'it ran',
  source: { component: 'recorder', host: 'node-1' },
  firstTimestamp: '2026-03-14T15:00:00Z',
  lastTimestamp: '2026-03-14T15:00:00Z',
  count: 1,
  type: 'Normal',
  ...more,
});
const newer = (name: string, namespace: string, more: object = {}) => ({
  kind: 'Event',
  apiVersion: 'events.k8s.io/v1',
  metadata: { name },
  eventTime: TIME,
  reportingController: 'example.com/c',
  reportingInstance: 'c-0',
  action: 'Run',
  reason: 'Ran',
  note: 'it ran again',
  type: 'Warning',
  regarding: about(namespace),
  ...more,
});
const inCore = (namespace: string, name = '') => `/api/v1/namespaces/${namespace}/events${name === '' ? '' : `/${name}`}`;
const inGroup = (namespace: string, name = '') => `/apis/events.k8s.io/v1/namespaces/${namespace}/events${name === '' ? '' : `/${name}`}`;
const names = ({ items }: { readonly items: readonly { readonly metadata: { readonly name?: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);
const selecting = (selector: string) => `?fieldSelector=${encodeURIComponent(selector)}`;

describeServer('Events in the core version', (api) => {
  const patch = (path: string, body: unknown, type: string) =>
    api.send('PATCH', path, { body: JSON.stringify(body), headers: { 'content-type': type } });

  it('are the Events of the group under other names, and the other way round', async () => {
    const created = (await api.post(inCore('names'), older('a', 'names'))).object();
    const { metadata, kind: _, apiVersion: _v1, ...fields } = created;
    expect(Object.keys(created)).toEqual([
      'kind',
      'apiVersion',
      'metadata',
      'involvedObject',
      'reason',
      'message',
      'source',
      'firstTimestamp',
      'lastTimestamp',
      'count',
      'type',
      'eventTime',
      'reportingComponent',
      'reportingInstance',
    ]);
    expect(fields).toMatchObject({ eventTime: null, reportingComponent: '', reportingInstance: '', source: { host: 'node-1' } });
    expect((await api.get(inGroup('names', 'a'))).object()).toEqual({
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata,
      eventTime: null,
      reason: 'Done',
      regarding: about('names'),
      note: 'it ran',
      type: 'Normal',
      deprecatedSource: { component: 'recorder', host: 'node-1' },
      deprecatedFirstTimestamp: '2026-03-14T15:00:00Z',
      deprecatedLastTimestamp: '2026-03-14T15:00:00Z',
      deprecatedCount: 1,
    });

    const other = (await api.post(inGroup('names'), newer('b', 'names'))).object();
    expect((await api.get(inCore('names', 'b'))).object()).toEqual({
      kind: 'Event',
      apiVersion: 'v1',
      metadata: other.metadata,
      involvedObject: about('names'),
      reason: 'Ran',
      message: 'it ran again',
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      type: 'Warning',
      eventTime: TIME,
      action: 'Run',
      reportingComponent: 'example.com/c',
      reportingInstance: 'c-0',
    });
    expect((await api.get(inCore('names', 'a'))).object()).toEqual(created);
  });

  it('have what is always written, also when nothing was sent', async () => {
    const { metadata: _, ...empty } = (await api.post(inCore('default'), { metadata: { name: 'empty' } })).object();
    expect(empty).toEqual({
      kind: 'Event',
      apiVersion: 'v1',
      involvedObject: {},
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    });
    await api.delete(inCore('default', 'empty'));
  });

  describe('are checked less than in their group', () => {
    it.each([
      ['odd words', { type: 'Odd', message: 'x'.repeat(2000), reason: 'x'.repeat(300) }],
      ['a series of one', { series: { count: 1 } }],
      ['a name that is no subdomain', { metadata: { name: 'A_b' } }],
    ])('%s are taken', async (_, more) => {
      expect((await api.post(`${inCore('rules')}?dryRun=All`, older('taken', 'rules', more))).code).toBe(201);
    });

    it.each([
      ['about an object of another namespace', { involvedObject: about('other') }, ['involvedObject.namespace']],
      [
        'that have a time and do not say who reports',
        { eventTime: TIME },
        ['action', 'reportingComponent', 'reportingComponent', 'reportingComponent', 'reportingInstance'],
      ],
      ['of a name that no path can hold', { metadata: { name: 'a/b' } }, ['metadata.name']],
    ])('those %s are not', async (_, more, fields) => {
      const { code, details } = (await api.post(inCore('rules'), older('refused', 'rules', more))).status();
      expect([code, details?.kind, details?.causes?.map(({ field }) => field).sort()]).toEqual([422, 'Event', fields]);
    });

    it('everything can be changed here, and little there', async () => {
      await api.post(inGroup('rules'), newer('changed', 'rules'));
      const body = { involvedObject: { name: 'other' }, message: 'changed', reportingComponent: 'example.com/d' };
      expect((await patch(inCore('rules', 'changed'), body, STRATEGIC)).object()).toMatchObject(body);
      const refused = await patch(inGroup('rules', 'changed'), { note: 'again' }, STRATEGIC);
      expect(refused.status().details?.causes).toMatchObject([{ field: 'message' }]);
    });

    it('an Event of the older form stays one when its labels are changed there', async () => {
      await api.post(inCore('rules'), older('labelled', 'rules'));
      const labelled = await patch(inGroup('rules', 'labelled'), { metadata: { labels: { a: 'b' } } }, STRATEGIC);
      expect(labelled.object()).toMatchObject({ metadata: { labels: { a: 'b' } }, eventTime: null, deprecatedCount: 1 });
    });
  });

  describe('are written', () => {
    it('by PUT, which creates, and needs no resourceVersion', async () => {
      const path = inCore('writes', 'put');
      expect((await api.put(path, older('put', 'writes'))).code).toBe(201);
      expect((await api.put(path, older('put', 'writes', { count: 2 }))).object()).toMatchObject({ count: 2 });
      const stale = older('put', 'writes', { metadata: { name: 'put', resourceVersion: '1' } });
      expect((await api.put(path, stale)).status()).toMatchObject({
        code: 409,
        reason: 'Conflict',
        details: { name: 'put', kind: 'events' },
      });
    });

    it('by each kind of patch, in their own words', async () => {
      const path = inCore('writes', 'patched');
      await api.post(inCore('writes'), older('patched', 'writes'));
      const counted = async (body: unknown, type: string) => (await patch(path, body, type)).object()['count'];
      expect(await counted({ count: 2 }, STRATEGIC)).toBe(2);
      expect(await counted({ count: 3 }, 'application/merge-patch+json')).toBe(3);
      expect(
        await counted(
          [
            { op: 'test', path: '/reportingComponent', value: '' },
            { op: 'replace', path: '/count', value: 4 },
          ],
          'application/json-patch+json',
        ),
      ).toBe(4);
      expect((await api.get(inGroup('writes', 'patched'))).object()).toMatchObject({ deprecatedCount: 4 });
      expect((await patch(path, { deprecatedCount: 5 }, STRATEGIC)).object()).toMatchObject({ count: 4 });
      expect((await patch(`${path}?fieldValidation=Strict`, { deprecatedCount: 5 }, STRATEGIC)).code).toBe(422);
    });

    it('by nobody on a dry run', async () => {
      await api.post(`${inCore('writes')}?dryRun=All`, older('dry', 'writes'));
      expect((await api.get(inCore('writes', 'dry'))).code).toBe(404);
    });

    it('in protobuf', async () => {
      const [view] = viewsOf(createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }));
      if (view === undefined) throw new Error('no view');
      const [json, message] = [createObjectCodec(view.shape), createMessageCodec(view.shape)];
      const { object } = json.decodeBody(Buffer.from(JSON.stringify(older('packed', 'writes'))));
      const body = writeEnvelope({ kind: 'Event', apiVersion: 'v1' }, message.encode(object));
      const answer = await api.send('POST', inCore('writes'), { body, headers: { 'content-type': PROTOBUF } });
      expect(answer.object()).toMatchObject({ involvedObject: about('writes'), source: { component: 'recorder' }, count: 1 });

      const whole = await fetch(api.baseUrl + inCore('writes', 'packed'), { headers: { accept: PROTOBUF } });
      const { apiVersion, kind, raw } = parseEnvelope(Buffer.from(await whole.arrayBuffer()));
      expect([apiVersion, kind]).toEqual(['v1', 'Event']);
      const { metadata: _, kind: _kind, apiVersion: _version, ...sent } = object;
      expect(message.decode(raw)).toMatchObject(sent);
    });

    it('and deleted, one and many, by their own selectors', async () => {
      for (const name of ['x', 'y']) await api.post(inCore('deletes'), older(name, 'deletes', { involvedObject: about('deletes', name) }));
      await api.post(inGroup('deletes'), newer('z', 'deletes', { regarding: about('deletes', 'x') }));
      const gone = (await api.delete(inCore('deletes', 'y'))).status();
      expect([gone.status, gone.details]).toEqual(['Success', { name: 'y', kind: 'events', uid: expect.any(String) }]);
      expect((await api.get(inGroup('deletes', 'y'))).code).toBe(404);
      expect((await api.delete(inCore('deletes') + selecting('involvedObject.name=x,type=Normal'))).code).toBe(200);
      expect(names((await api.get(inGroup('deletes'))).list())).toEqual(['z']);
    });
  });

  it('are refused in words of the core version', async () => {
    const missing = (await api.get(inCore('errors', 'nope'))).status();
    expect([missing.code, missing.message, missing.details]).toEqual([404, 'events "nope" not found', { name: 'nope', kind: 'events' }]);
    await api.post(inGroup('errors'), newer('there', 'errors'));
    expect((await api.post(inCore('errors'), older('there', 'errors'))).status()).toMatchObject({
      reason: 'AlreadyExists',
      message: 'events "there" already exists',
    });
    const otherVersion = { ...older('other', 'errors'), apiVersion: 'events.k8s.io/v1' };
    expect((await api.post(inCore('errors'), otherVersion)).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await api.get(`${inCore('errors', 'there')}/status`)).code).toBe(404);
    expect((await api.get('/api/v1/pods')).code).toBe(404);
  });

  describe('are read', () => {
    const namespace = 'reads';
    beforeAll(async () => {
      for (const name of ['a', 'b']) await api.post(inCore(namespace), older(name, namespace, { involvedObject: about(namespace, name) }));
      await api.post(inGroup(namespace), newer('c', namespace, { regarding: about(namespace, 'b') }));
    });

    it.each([
      ['involvedObject.name=b', ['b', 'c']],
      ['involvedObject.name!=b', ['a']],
      ['involvedObject.kind=CronJob,type=Warning', ['c']],
      ['source=recorder', ['a', 'b']],
      ['source=example.com/c', ['c']],
      ['reportingComponent=example.com/c', ['c']],
      ['reportingComponent=', ['a', 'b']],
      ['reason=Done,metadata.name=a', ['a']],
    ])('by %s, in a namespace, across them, and watched', async (selector, expected) => {
      expect(names((await api.get(inCore(namespace) + selecting(selector))).list())).toEqual(expected);
      const everywhere = selecting(`${selector},metadata.namespace=${namespace}`);
      expect(names((await api.get(`/api/v1/events${everywhere}`)).list())).toEqual(expected);
      const stream = await api.watch(`/api/v1/events${everywhere}&watch=true`);
      const events = await stream.take(expected.length);
      stream.close();
      expect(events.map(({ object }) => object.metadata.name)).toEqual(expected);
    });

    it.each(['regarding.name=b', 'reportingController=x', 'note=x'])('not by %s, which is of the group', async (selector) => {
      expect((await api.get(inCore(namespace) + selecting(selector))).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    it('in pages, whose tokens are good for the group too', async () => {
      const first = (await api.get(`${inCore(namespace)}?limit=2`)).list();
      expect([first.kind, first.apiVersion, names(first), first.metadata.remainingItemCount]).toEqual(['EventList', 'v1', ['a', 'b'], 1]);
      const token = encodeURIComponent(first.metadata.continue ?? '');
      const rest = (await api.get(`${inCore(namespace)}?limit=2&continue=${token}`)).list();
      expect([names(rest), rest.metadata.resourceVersion]).toEqual([['c'], first.metadata.resourceVersion]);
      expect(rest.items[0]).toMatchObject({ involvedObject: about(namespace, 'b'), eventTime: TIME });
      expect(names((await api.get(`${inGroup(namespace)}?limit=2&continue=${token}`)).list())).toEqual(['c']);
    });

    it('the same alone, in a list, in a watch and indented', async () => {
      const { kind: _, apiVersion: _v1, ...alone } = (await api.get(inCore(namespace, 'a'))).object();
      expect((await api.get(inCore(namespace))).list().items[0]).toEqual(alone);
      const stream = await api.watch(`${inCore(namespace)}?watch=true`);
      expect((await stream.next()).object).toEqual({ kind: 'Event', apiVersion: 'v1', ...alone });
      stream.close();
      expect((await api.get(`${inCore(namespace)}?pretty=true`)).list().items[0]).toEqual(alone);
    });

    it('as a Table, with the columns and cells of the group', async () => {
      const accept = `application/json;as=Table;${META}`;
      const [core, group] = [await api.get(inCore(namespace), { accept }), await api.get(inGroup(namespace), { accept })];
      const table = core.json() as { columnDefinitions: unknown; rows: { cells: unknown[]; object: unknown }[] };
      expect(table).toEqual(group.json());
      expect(table.rows.map(({ cells }) => cells[3])).toEqual(['cronjob/a', 'cronjob/b', 'cronjob/b']);
      const whole = (await api.get(`${inCore(namespace)}?includeObject=Object`, { accept })).json() as typeof table;
      expect(whole.rows[2]?.object).toEqual((await api.get(inCore(namespace, 'c'))).object());
    });

    it('as metadata alone', async () => {
      const accept = `application/json;as=PartialObjectMetadataList;${META}`;
      expect((await api.get(inCore(namespace), { accept })).json()).toEqual((await api.get(inGroup(namespace), { accept })).json());
      const refused = (await api.get(inCore(namespace, 'a'), { accept })).status();
      expect([refused.code, refused.message]).toEqual([406, expect.stringContaining('not a list (*core.Event)')]);
    });
  });

  it('are watched through one version as they are written through the other', async () => {
    const [core, group] = await Promise.all([api.watch(`${inCore('watched')}?watch=true`), api.watch(`${inGroup('watched')}?watch=true`)]);
    await api.post(inGroup('watched'), newer('w', 'watched'));
    await patch(inCore('watched', 'w'), { message: 'changed', metadata: { labels: { a: 'b' } } }, STRATEGIC);
    await api.delete(inGroup('watched', 'w'));
    const seen = await core.take(3);
    expect(seen.map(({ type, object }) => [type, object['message'], object['involvedObject']])).toEqual([
      ['ADDED', 'it ran again', about('watched')],
      ['MODIFIED', 'changed', about('watched')],
      ['DELETED', 'changed', about('watched')],
    ]);
    const theirs = await group.take(3);
    expect(theirs.map(({ object }) => [object['note'], object.metadata.resourceVersion])).toEqual(
      seen.map(({ object }) => [object['message'], object.metadata.resourceVersion]),
    );
    core.close();
    group.close();
  });

  it('end the initial events of a watch with a bookmark of their own form', async () => {
    const query = '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const stream = await api.watch(inCore('bookmarked') + query);
    const { type, object } = await stream.next();
    stream.close();
    expect([type, object.apiVersion, object['involvedObject'], object['reportingComponent']]).toEqual(['BOOKMARK', 'v1', {}, '']);
    expect(object.metadata['annotations']).toEqual({ [`${DEFAULT_GROUP_SUFFIX}/initial-events-end`]: 'true' });
  });

  describe('have field managers of their own', () => {
    const apply = (path: string, manager: string, body: object, query = '') =>
      api.send('PATCH', `${path}?fieldManager=${manager}${query}`, { body: JSON.stringify(body), headers: { 'content-type': APPLY } });
    const owners = async (path: string) => {
      const { managedFields = [] } = (await api.get(path)).object().metadata;
      return managedFields.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`);
    };

    it('who conflict within a version, on its fields', async () => {
      const path = inCore('owners', 'o');
      expect((await apply(path, 'one', older('o', 'owners'))).code).toBe(201);
      const other = { kind: 'Event', apiVersion: 'v1', metadata: { name: 'o' }, message: 'other' };
      const refused = (await apply(path, 'two', other)).status();
      expect([refused.reason, refused.details?.causes]).toEqual([
        'Conflict',
        [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.message' }],
      ]);
      expect((await apply(path, 'two', other, '&force=true')).object()).toMatchObject({ message: 'other' });
      expect(await owners(path)).toEqual(['one v1', 'two v1']);
    });

    // As Kubernetes, measured: what was owned in one version is nobody's for a write through the other.
    it('who are forgotten by a write through the other version', async () => {
      const path = inCore('owners', 'p');
      await apply(path, 'one', older('p', 'owners'));
      const labelled = { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata: { name: 'p', labels: { a: 'b' } } };
      expect((await apply(inGroup('owners', 'p'), 'two', labelled)).object()).toMatchObject({ note: 'it ran' });
      expect(await owners(path)).toEqual(['two events.k8s.io/v1']);
    });
  });
});
