/** PATCH other than apply. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  APPLY,
  cronJobsIn,
  type InProcessApi,
  JSON_PATCH,
  LABELLED,
  MERGE,
  openInProcessApi,
  refusalOf,
  STRATEGIC,
} from '../../../test/support/in-process-api.ts';

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
});
afterAll(() => api.close());

const NAMESPACE = 'patch';
const { item, patch, read, create } = cronJobsIn(NAMESPACE, () => api);

const EMPTY: readonly (readonly [string, unknown])[] = [
  [JSON_PATCH, []],
  [MERGE, {}],
  [STRATEGIC, {}],
  [STRATEGIC, null],
];

describe('PATCH', () => {
  describe.each(LABELLED)('as %s', (type, labelled) => {
    const name = type.slice('application/'.length).replace('+', '-');

    it('changes what it names and keeps all else', async () => {
      const before = await create(name);
      const { code, body } = await patch(name, type, labelled);
      expect(code).toBe(200);
      expect(body.metadata).toMatchObject({ labels: { a: 'b' }, uid: before.metadata['uid'], generation: 1 });
      expect(body.spec).toEqual(before.spec);
      expect(await read(name)).toEqual(body);
    });

    it('writes nothing when nothing changes', async () => {
      const before = await read(name);
      expect(await patch(name, type, labelled)).toMatchObject({ code: 200, body: before });
    });

    it('is refused when there is nothing in it, or nothing that can be read', async () => {
      for (const body of ['', '{', 'a: b', '"text"', '7']) expect(refusalOf(await patch(name, type, body))).toBe('400 BadRequest');
    });

    it('of a name that does not exist is not found, even if it cannot be read', async () => {
      expect(refusalOf(await patch('missing', type, labelled))).toBe('404 NotFound');
      expect(refusalOf(await patch('missing', type, '{'))).toBe('404 NotFound');
    });

    it('as a dry run shows the outcome and stores nothing', async () => {
      const before = await create(`${name}-dry`);
      const { code, body } = await patch(`${name}-dry`, type, labelled, '?dryRun=All');
      expect([code, body.metadata['labels']]).toEqual([200, { a: 'b' }]);
      expect(await read(`${name}-dry`)).toEqual(before);
    });

    it('cannot be forced', async () => {
      expect(refusalOf(await patch(name, type, labelled, '?force=true'))).toBe('422 Invalid force:FieldValueForbidden');
    });
  });

  it.each(EMPTY)('as %s that asks for nothing does nothing', async (type, empty) => {
    const name = `empty-${EMPTY.findIndex(([, body]) => body === empty)}`;
    const before = await create(name);
    expect(await patch(name, type, empty)).toMatchObject({ code: 200, body: before });
  });

  it('takes the media type with parameters, and in capitals', async () => {
    await create('parameters');
    expect((await patch('parameters', `${MERGE}; charset=utf-8`, {})).code).toBe(200);
    expect((await patch('parameters', 'Application/Merge-Patch+JSON;charset=UTF-8', {})).code).toBe(200);
  });

  it.each(['application/json', 'application/yaml', 'text/plain', 'application/apply-patch+cbor', undefined])(
    'refuses the media type %s, and says what it takes',
    async (type) => {
      const answer = await api.send('PATCH', item('missing'), {}, type);
      expect(refusalOf(answer)).toBe('415 UnsupportedMediaType');
      for (const accepted of [JSON_PATCH, MERGE, STRATEGIC, APPLY]) expect(answer.body.message).toContain(accepted);
    },
  );

  it('as a merge patch is an object', async () => {
    await create('no-object');
    for (const body of ['null', '[]']) expect(refusalOf(await patch('no-object', MERGE, body))).toBe('400 BadRequest');
    expect(refusalOf(await patch('no-object', JSON_PATCH, '{}'))).toBe('400 BadRequest');
    expect(refusalOf(await patch('no-object', STRATEGIC, '[]'))).toBe('400 BadRequest');
  });

  it('sees fields that are shown though nobody set them', async () => {
    await create('shown');
    const test = { op: 'test', path: '/status', value: {} };
    expect((await patch('shown', JSON_PATCH, [test, { op: 'test', path: '/spec/concurrencyPolicy', value: 'Allow' }])).code).toBe(200);
    expect(refusalOf(await patch('shown', JSON_PATCH, [{ ...test, value: { a: 1 } }]))).toBe('422 Invalid');
    expect(refusalOf(await patch('shown', JSON_PATCH, [{ op: 'remove', path: '/spec/absent' }]))).toBe('422 Invalid');
  });

  it('as a strategic merge patch merges lists by their keys', async () => {
    await create('by-key');
    const spec = (containers: unknown) => ({ spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } });
    const { body } = await patch('by-key', STRATEGIC, spec([{ name: 'side', image: 'example.com/side:1' }]));
    expect(body.spec).toMatchObject({
      jobTemplate: { spec: { template: { spec: { containers: [{ name: 'side' }, { name: 'main' }] } } } },
    });
    expect(body.metadata['generation']).toBe(2);
  });

  it('as a strategic merge patch takes a whole number in any spelling, as a merge patch only the plain one', async () => {
    await create('whole');
    const body = '{"spec":{"startingDeadlineSeconds":60.0}}';
    expect((await patch('whole', STRATEGIC, body)).body.spec['startingDeadlineSeconds']).toBe(60);
    expect(refusalOf(await patch('whole', MERGE, body))).toBe('422 Invalid patch:FieldValueInvalid');
  });

  it('runs defaults, rules and the type checks on what comes out', async () => {
    await create('checked');
    const cleared = await patch('checked', MERGE, { spec: { concurrencyPolicy: null } });
    expect([cleared.code, cleared.body.spec['concurrencyPolicy']]).toEqual([200, 'Allow']);
    expect(refusalOf(await patch('checked', MERGE, { spec: { schedule: 'never' } }))).toBe('422 Invalid spec.schedule:FieldValueInvalid');
    for (const [type, body] of [
      [MERGE, { spec: { suspend: 'yes' } }],
      [MERGE, { spec: 7 }],
      [STRATEGIC, { spec: { suspend: 'yes' } }],
      [JSON_PATCH, [{ op: 'replace', path: '/spec/suspend', value: 'yes' }]],
    ] as const) {
      const answer = await patch('checked', type, body);
      expect(refusalOf(answer)).toBe('422 Invalid patch:FieldValueInvalid');
      expect(answer.body.details).toMatchObject({ kind: 'CronJob', name: 'checked' });
      expect(answer.body.message).toMatch(/spec/);
    }
  });

  it('cannot make another kind of it, and as a strategic merge patch does not try', async () => {
    const before = await create('kind');
    for (const body of [{ kind: 'Job' }, { apiVersion: 'batch/v2' }]) {
      expect(refusalOf(await patch('kind', MERGE, body))).toBe('422 Invalid patch:FieldValueInvalid');
      expect(await patch('kind', STRATEGIC, body)).toMatchObject({ code: 200, body: before });
    }
    const replaced = [{ op: 'replace', path: '/kind', value: 'Job' }];
    expect(refusalOf(await patch('kind', JSON_PATCH, replaced))).toBe('422 Invalid patch:FieldValueInvalid');
    expect(await patch('kind', MERGE, { kind: null, apiVersion: null })).toMatchObject({ code: 200, body: before });
  });

  it('cannot make another object of it', async () => {
    await create('identity');
    for (const metadata of [{ name: 'other' }, { name: null }, { namespace: 'other' }]) {
      for (const type of [MERGE, STRATEGIC]) expect(refusalOf(await patch('identity', type, { metadata }))).toBe('400 BadRequest');
    }
    expect(refusalOf(await patch('identity', MERGE, { metadata: null }))).toBe('400 BadRequest');
    expect(refusalOf(await patch('identity', MERGE, { metadata: { uid: 'other' } }))).toBe('422 Invalid metadata.uid:FieldValueInvalid');
  });

  it('may be meant for one resourceVersion alone', async () => {
    const { metadata } = await create('meant');
    const meant = { metadata: { resourceVersion: metadata['resourceVersion'], labels: { a: 'b' } } };
    expect((await patch('meant', MERGE, meant)).code).toBe(200);
    expect(refusalOf(await patch('meant', MERGE, meant))).toBe('409 Conflict');
    expect((await patch('meant', MERGE, { metadata: { resourceVersion: '0' } })).code).toBe(200);
    expect((await patch('meant', MERGE, { metadata: { resourceVersion: null } })).code).toBe(200);
    expect(refusalOf(await patch('meant', MERGE, { metadata: { resourceVersion: 'x' } }))).toMatch(/^422 /);
  });

  it('of the status leaves the spec, and of the main path the status', async () => {
    const before = await create('status');
    const change = { spec: { suspend: true }, status: { lastScheduleTime: '2026-01-01T00:00:00Z' } };
    const status = (await api.send('PATCH', `${item('status')}/status`, change, MERGE)).body;
    expect([status.spec, status.status]).toEqual([before.spec, change.status]);
    const main = (await patch('status', STRATEGIC, { ...change, status: null })).body;
    expect([main.spec['suspend'], main.status]).toEqual([true, change.status]);
    expect(refusalOf(await api.send('PATCH', `${item('missing')}/status`, change, MERGE))).toBe('404 NotFound');
  });

  it('keeps what is stored token for token, and sets it so', async () => {
    const revisions = `/apis/apps/v1/namespaces/${NAMESPACE}/controllerrevisions`;
    await api.send('POST', revisions, '{"metadata":{"name":"tokens"},"revision":1,"data":{"b":1.0,"a":-0}}', 'application/json');
    for (const [type, body] of [
      [MERGE, '{"metadata":{"labels":{"a":"b"}}}'],
      [JSON_PATCH, '[{"op":"add","path":"/metadata/labels/c","value":"d"}]'],
      [STRATEGIC, '{"revision":2}'],
    ] as const) {
      expect((await api.send('PATCH', `${revisions}/tokens`, body, type)).text).toContain('"data":{"b":1.0,"a":-0}');
    }
    const versions = '{"data":{"b":1.00}}';
    for (const type of [MERGE, STRATEGIC]) {
      expect(refusalOf(await api.send('PATCH', `${revisions}/tokens?dryRun=All`, versions, type))).toBe(
        '422 Invalid data:FieldValueInvalid',
      );
    }
  });

  it('treats the names of prototypes as names', async () => {
    await create('prototype');
    const labels = '{"metadata":{"annotations":{"constructor":"a","prototype":"b"}}}';
    for (const type of [MERGE, STRATEGIC]) {
      expect((await patch('prototype', type, labels)).text).toMatch(/"annotations":\{"constructor":"a","prototype":"b"\}/);
    }
  });

  it('sends too large a body away', async () => {
    await create('large');
    const note = 'x'.repeat(300_000);
    expect(refusalOf(await patch('large', MERGE, { metadata: { annotations: { note } } }))).toBe(
      '422 Invalid metadata.annotations:FieldValueTooLong',
    );
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'CronJob' }));
    expect(refusalOf(await patch('large', JSON_PATCH, operations))).toBe('413 RequestEntityTooLarge');
  });
});

describe('PATCH and fields that nobody knows', () => {
  const UNKNOWN: readonly (readonly [string, string, readonly string[]])[] = [
    [
      JSON_PATCH,
      '[{"op":"add","path":"/spec/colour","value":"red","why":1},{"op":"add","op":"add","path":"/metadata/labels","value":{}}]',
      ['json patch duplicate field "[1].op"', 'json patch unknown field "[0].why"', 'unknown field "spec.colour"'],
    ],
    [MERGE, '{"spec":{"colour":"red","suspend":true,"suspend":false}}', ['duplicate field "spec.suspend"', 'unknown field "spec.colour"']],
    [
      STRATEGIC,
      '{"spec":{"colour":"red","suspend":true,"suspend":false}}',
      ['duplicate field "spec.suspend"', 'unknown field "spec.colour"'],
    ],
  ];

  it.each(UNKNOWN)('as %s warns, is silent or refuses, as fieldValidation asks', async (type, body, findings) => {
    const name = `unknown-${type.slice('application/'.length).replace('+', '-')}`;
    await create(name);
    const warned = await patch(name, type, body);
    expect(warned.code).toBe(200);
    expect(warned.warnings).toEqual(findings.map((text) => `299 - ${JSON.stringify(text)}`));
    const ignored = await patch(name, type, body, '?fieldValidation=Ignore');
    expect([ignored.code, ignored.warnings]).toEqual([200, []]);
    const strict = await patch(name, type, body, '?fieldValidation=Strict');
    expect(refusalOf(strict)).toBe('422 Invalid patch:FieldValueInvalid');
    expect(strict.body.message).toContain(`strict decoding error: ${findings.join(', ')}`);
  });
});

describe('PATCH in the metrics', () => {
  it('tells applies from other patches', async () => {
    await create('counted');
    await patch('counted', MERGE, {});
    await patch('counted', 'application/apply-patch', {}, '');
    const total = await api.metrics();
    expect(total).toMatch(/apiserver_request_total\{verb="PATCH",[^}]*resource="cronjobs",[^}]*code="200"/);
    expect(total).toMatch(/apiserver_request_total\{verb="APPLY",[^}]*resource="cronjobs",[^}]*code="422"/);
  });
});
