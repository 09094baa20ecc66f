/** PATCH as server-side apply, and managedFields of all writes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessRequest } from '../../authorization/authorizer.ts';
import { MAX_OBJECT_BYTES } from '../../schema/encode.ts';
import { RECORD_HEADER_BYTES } from '../../storage/record.ts';
import {
  APPLY,
  type Body,
  CRON_JOB,
  cronJobsIn,
  type InProcessApi,
  LABELLED,
  MERGE,
  openInProcessApi,
  refusalOf,
} from '../../../test/support/in-process-api.ts';

let api: InProcessApi;
const forbiddenVerbs = new Set<string>();
const asked: AccessRequest[] = [];
beforeAll(async () => {
  api = await openInProcessApi({
    authorize: (request) => {
      asked.push(request);
      return forbiddenVerbs.has(request.verb) ? { decision: 'noOpinion' } : { decision: 'allow' };
    },
  });
});
afterAll(() => api.close());

const NAMESPACE = 'apply';
const { item, patch, read, create } = cronJobsIn(NAMESPACE, () => api);

describe('Server-side apply', () => {
  const config = (metadata: object, more: object = {}) => ({ apiVersion: 'batch/v1', kind: 'CronJob', metadata, ...more });
  const apply = (name: string, body: unknown, query = '') => patch(name, APPLY, body, `?fieldManager=applier${query}`);
  const entries = ({ metadata }: Body) => metadata['managedFields'] as readonly Readonly<Record<string, unknown>>[];

  it('creates, and then changes what differs and takes away what is no longer named', async () => {
    const created = await apply('applied', config({ name: 'applied', labels: { a: '1', b: '2' } }, CRON_JOB));
    expect(created.code).toBe(201);
    expect(created.body.metadata).toMatchObject({ namespace: NAMESPACE, labels: { a: '1', b: '2' }, generation: 1 });
    expect(created.body.spec['concurrencyPolicy']).toBe('Allow');
    expect(entries(created.body)).toMatchObject([{ manager: 'applier', operation: 'Apply', apiVersion: 'batch/v1' }]);
    expect(JSON.stringify(entries(created.body))).not.toContain('f:concurrencyPolicy');
    const again = await apply('applied', config({ name: 'applied', labels: { a: '1', b: '2' } }, CRON_JOB));
    expect(again).toMatchObject({ code: 200, body: created.body });
    const changed = await apply('applied', config({ labels: { b: '3' } }, CRON_JOB));
    expect([changed.code, changed.body.metadata['labels']]).toEqual([200, { b: '3' }]);
    expect(await read('applied')).toEqual(changed.body);
  });

  it('reads YAML, and JSON, under either name of its media type', async () => {
    const yaml = `apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  labels: {a: b} # a comment\nspec: ${JSON.stringify(CRON_JOB.spec)}\n`;
    expect((await patch('yaml', 'application/apply-patch', yaml, '?fieldManager=m')).code).toBe(201);
    expect((await patch('yaml', 'application/apply-patch+yaml; charset=utf-8', yaml, '?fieldManager=m')).code).toBe(200);
    expect((await patch('yaml', APPLY, config({ labels: { a: 'b' } }, CRON_JOB), '?fieldManager=m')).body).toEqual(await read('yaml'));
  });

  it('must say who applies', async () => {
    expect(refusalOf(await patch('nobody', APPLY, config({}, CRON_JOB)))).toBe('422 Invalid fieldManager:FieldValueRequired');
    expect(refusalOf(await patch('nobody', APPLY, config({}, CRON_JOB), '?fieldManager='))).toBe(
      '422 Invalid fieldManager:FieldValueRequired',
    );
  });

  it('is a conflict where another manager set another value, unless it is forced', async () => {
    await create('contested', { labels: { a: 'theirs' } });
    const body = config({ labels: { a: 'mine' } });
    const refused = await apply('contested', body);
    expect(refusalOf(refused)).toBe('409 Conflict .metadata.labels.a:FieldManagerConflict');
    expect(refused.body.details?.causes?.[0]?.message).toContain('"tester"');
    expect(await read('contested')).toMatchObject({ metadata: { labels: { a: 'theirs' } } });
    const forced = await apply('contested', body, '&force=true');
    expect([forced.code, forced.body.metadata['labels']]).toEqual([200, { a: 'mine' }]);
    expect((await apply('contested', body)).code).toBe(200);
  });

  it('is refused for what is no configuration of this object', async () => {
    await create('refused');
    for (const body of [
      '',
      'null',
      '[]',
      'text',
      '{',
      'a: b: c',
      { metadata: {} },
      { ...config({}), apiVersion: 'batch/v2' },
      { ...config({}), kind: 'Job' },
    ]) {
      expect([body, refusalOf(await apply('refused', body))]).toEqual([body, expect.stringMatching(/^400 BadRequest/)]);
    }
    for (const metadata of [{ name: 'other' }, { namespace: 'other' }, { managedFields: [] }, { managedFields: [{}] }]) {
      expect([metadata, refusalOf(await apply('refused', config(metadata)))]).toEqual([metadata, '400 BadRequest']);
    }
    expect(refusalOf(await apply('refused', config({ uid: 'other' })))).toBe('422 Invalid metadata.uid:FieldValueInvalid');
    expect(refusalOf(await apply('refused', config({}, { spec: { schedule: 'never' } }), '&force=true'))).toBe(
      '422 Invalid spec.schedule:FieldValueInvalid',
    );
    for (const spec of [{ suspend: 'yes' }, { schedule: 7 }, 7, { successfulJobsHistoryLimit: 2 ** 40 }]) {
      expect(refusalOf(await apply('refused', config({}, { spec }), '&force=true'))).toMatch(/^4(?:00|22) /);
    }
  });

  it('is refused with unknown fields, whatever fieldValidation asks', async () => {
    await create('unknown');
    for (const query of ['', '&fieldValidation=Ignore', '&fieldValidation=Strict']) {
      const answer = await apply('unknown', config({}, { spec: { colour: 'red' } }), query);
      expect(answer.code).toBe(400);
      expect(answer.body.message).toContain('.spec.colour');
    }
  });

  it('warns of members that are there twice, is silent or refuses, as fieldValidation asks', async () => {
    await create('twice');
    const json = '{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"labels":{"a":"b","a":"c"}}}';
    const warned = await apply('twice', json);
    expect([warned.code, warned.body.metadata['labels'], warned.warnings]).toEqual([
      200,
      { a: 'c' },
      ['299 - "duplicate field \\"metadata.labels.a\\""'],
    ]);
    const ignored = await apply('twice', json, '&fieldValidation=Ignore');
    expect([ignored.code, ignored.warnings]).toEqual([200, []]);
    for (const body of [json, 'apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  labels:\n    a: b\n    a: c\n']) {
      const strict = await apply('twice', body, '&fieldValidation=Strict');
      expect(refusalOf(strict)).toBe('400 BadRequest');
      expect(strict.body.message).toMatch(/duplicate|unique/);
    }
  });

  it('as a dry run shows the outcome and stores nothing', async () => {
    const shown = await apply('shown-only', config({ labels: { a: 'b' } }, CRON_JOB), '&dryRun=All');
    expect([shown.code, shown.body.metadata['labels'], shown.body.metadata['resourceVersion']]).toEqual([201, { a: 'b' }, undefined]);
    expect((await api.send('GET', item('shown-only'), '')).code).toBe(404);
  });

  it('may be meant for one state, and that says nothing when there is none', async () => {
    const { body } = await apply('meant-for', config({ resourceVersion: '7' }, CRON_JOB));
    const version = { resourceVersion: body.metadata['resourceVersion'], labels: { a: 'b' } };
    expect((await apply('meant-for', config(version, CRON_JOB))).code).toBe(200);
    expect(refusalOf(await apply('meant-for', config({ ...version, labels: { a: 'c' } }, CRON_JOB)))).toBe('409 Conflict');
    expect(refusalOf(await apply('gone', config({ uid: 'known' }, CRON_JOB)))).toBe('409 Conflict');
  });
  it('that names no state by null or by nothing is refused where an update must name one', async () => {
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: 1 } };
    const path = `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets/stateless?fieldManager=applier`;
    const applyTo = (metadata: object) => api.send('PATCH', path, { ...budget, metadata }, APPLY);
    expect([(await applyTo({})).code, (await applyTo({})).code]).toEqual([201, 200]);
    for (const resourceVersion of [null, '', '0']) {
      expect(refusalOf(await applyTo({ resourceVersion }))).toBe('422 Invalid metadata.resourceVersion:FieldValueInvalid');
    }
  });

  it('that changes no value has no time, also where it names the state that it is meant for', async () => {
    for (const name of ['timeless', 'timeless-and-meant']) {
      const { metadata } = await create(name, { labels: { a: 'b' } });
      const version = name === 'timeless' ? {} : { resourceVersion: metadata['resourceVersion'] };
      const applied = await apply(name, config({ ...version, labels: { a: 'b' } }));
      const [entry] = entries(applied.body);
      expect([applied.code, entry]).toEqual([200, expect.objectContaining({ manager: 'applier' })]);
      expect(entry).not.toHaveProperty('time');
    }
    await create('timed', { labels: { a: 'b' } });
    expect(entries((await apply('timed', config({ resourceVersion: '', labels: { a: 'b' } }))).body)[0]).toHaveProperty('time');
  });

  it('of the status changes the status alone, and creates nothing', async () => {
    const before = await create('status-apply');
    const status = { lastScheduleTime: '2026-01-01T00:00:00Z' };
    const ask = (name: string, body: unknown) => api.send('PATCH', `${item(name)}/status?fieldManager=controller`, body, APPLY);
    const { code, body } = await ask('status-apply', config({}, { status, spec: { suspend: true } }));
    expect([code, body.status, body.spec]).toEqual([200, status, before.spec]);
    expect(entries(body)).toContainEqual(expect.objectContaining({ manager: 'controller', operation: 'Apply', subresource: 'status' }));
    expect(refusalOf(await ask('status-missing', config({}, { status })))).toBe('404 NotFound');
  });

  it('needs the permission to create when there is nothing to change', async () => {
    await create('exists');
    forbiddenVerbs.add('create');
    try {
      const refused = await apply('not-there', config({}, CRON_JOB));
      expect(refusalOf(refused)).toBe('403 Forbidden');
      expect(refused.body.message).toContain('cannot create resource "cronjobs" in API group "batch" in the namespace "apply"');
      expect((await apply('exists', config({ labels: { a: 'b' } }))).code).toBe(200);
    } finally {
      forbiddenVerbs.clear();
    }
    expect(asked).toContainEqual(expect.objectContaining({ verb: 'create', resource: 'cronjobs', name: 'not-there' }));
  });

  it('sends values that are kept token for token as they are', async () => {
    const path = `/apis/apps/v1/namespaces/${NAMESPACE}/controllerrevisions/applied?fieldManager=m`;
    const json = '{"apiVersion":"apps/v1","kind":"ControllerRevision","revision":1,"data":{"b":1.0,"a":-0}}';
    const created = await api.send('PATCH', path, json, APPLY);
    expect([created.code, created.text]).toEqual([201, expect.stringContaining('"data":{"b":1.0,"a":-0}')]);
    expect(await api.send('PATCH', path, json, APPLY)).toMatchObject({ code: 200, text: created.text });
  });
});

describe('managedFields', () => {
  /** `tester Update`, `controller Apply status` */
  const owners = ({ metadata }: Body) =>
    ((metadata['managedFields'] ?? []) as readonly Readonly<Record<string, string | undefined>>[]).map((entry) =>
      [entry['manager'], entry['operation'], entry['subresource']].join(' ').trimEnd(),
    );

  it('name who wrote: as fieldManager says, else the program of the user agent', async () => {
    expect(owners(await create('owned'))).toEqual(['tester Update']);
    for (const [index, [type, body]] of LABELLED.entries()) {
      await patch('owned', MERGE, { metadata: { labels: null } });
      const changed = (await patch('owned', type, body, `?fieldManager=m${index}`)).body;
      expect(owners(changed)).toContain(`m${index} Update`);
    }
    await api.send('PATCH', `${item('owned')}/status?fieldManager=c`, { status: { lastScheduleTime: '2026-01-01T00:00:00Z' } }, MERGE);
    expect(owners(await read('owned'))).toContain('c Update status');
    const { kind, metadata, spec } = await read('owned');
    const replaced = await api.send(
      'PUT',
      item('owned', '?fieldManager=putter'),
      { kind, metadata, spec: { ...spec, suspend: true } },
      'application/json',
    );
    expect(owners(replaced.body)).toContain('putter Update');
  });

  it('are not touched by whoever sets nothing new', async () => {
    const before = await create('nothing-new', { labels: { a: 'b' } });
    for (const [type, body] of LABELLED) {
      expect(await patch('nothing-new', type, body, '?fieldManager=another')).toMatchObject({ code: 200, body: before });
    }
  });

  it('are forgotten when an empty list, or one empty entry, is sent', async () => {
    for (const managedFields of [[], [{}]]) {
      const name = `forgotten-${managedFields.length}`;
      await create(name);
      expect((await patch(name, MERGE, { metadata: { managedFields } })).body.metadata).not.toHaveProperty('managedFields');
    }
  });

  it('are left out where the object would be too large with them, but not by an apply', async () => {
    const revisions = `/apis/apps/v1/namespaces/${NAMESPACE}/controllerrevisions`;
    const body = (name: string, text: string) => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name },
      revision: 1,
      data: { text },
    });
    const post = (name: string, text: string) => api.send('POST', revisions, body(name, text), 'application/json');
    const { managedFields: _, resourceVersion: _version, ...metadata } = (await post('small', '')).body.metadata;
    const { data, revision, ...rest } = body('small', '');
    const storedBytes = RECORD_HEADER_BYTES + JSON.stringify({ ...rest, metadata, data, revision }).length;
    const text = 'x'.repeat(MAX_OBJECT_BYTES - storedBytes - 10);
    const created = await post('large', text);
    expect([created.code, created.body.metadata]).toEqual([
      201,
      expect.not.objectContaining({ managedFields: expect.anything() as unknown }),
    ]);
    expect(refusalOf(await post('larger', `${text}${'x'.repeat(20)}`))).toBe('413 RequestEntityTooLarge');
    const applied = await api.send('PATCH', `${revisions}/other?fieldManager=m`, body('other', text), APPLY);
    expect(refusalOf(applied)).toBe('413 RequestEntityTooLarge');
  });

  it('are kept where a client leaves them out, and where it sends what cannot be read', async () => {
    const before = await create('kept-owners');
    expect(owners((await patch('kept-owners', MERGE, { metadata: { managedFields: null } })).body)).toEqual(owners(before));
    const odd = [{ manager: 'x', operation: 'Update', apiVersion: 'batch/v1', fieldsType: 'FieldsV1', fieldsV1: { odd: 1 } }];
    expect(owners((await patch('kept-owners', MERGE, { metadata: { managedFields: odd } })).body)).toEqual(owners(before));
  });
});
