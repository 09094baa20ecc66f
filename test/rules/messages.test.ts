/** What a client reads when it is refused: the words of Kubernetes, where both are to agree (`make compare`). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CRON_JOB, openInProcessApi, type InProcessApi } from '../support/in-process-api.ts';

const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs';
const EVENTS = '/apis/events.example.io/v1/namespaces/default/events';
const CORE_EVENTS = '/api/v1/namespaces/default/events';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const NAMESPACES = '/api/v1/namespaces';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const STORAGE_VERSIONS = '/apis/internal.apiserver.example.io/v1alpha1/storageversions';
const EVENT = {
  metadata: { name: 'stored', namespace: 'default' },
  type: 'Normal',
  reason: 'Done',
  action: 'Do',
  eventTime: '2026-11-20T10:11:12.123456Z',
  reportingController: 'example.com/c',
  reportingInstance: 'c-0',
};
const UNKNOWN = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
  for (const [path, body] of [
    [CRON_JOBS, { metadata: { name: 'stored' }, ...CRON_JOB }],
    [EVENTS, EVENT],
    [BUDGETS, { metadata: { name: 'stored' } }],
    [NAMESPACES, { metadata: { name: 'stored' } }],
    [JOBS, { metadata: { name: 'stored' }, ...CRON_JOB.spec.jobTemplate }],
    [REVISIONS, { metadata: { name: 'stored' }, data: { a: 1 } }],
    [STORAGE_VERSIONS, { metadata: { name: 'batch.stored' }, spec: {} }],
  ] as const) {
    const { code, text } = await api.send('POST', path, body, 'application/json');
    if (code !== 201) throw new Error(`not created: ${text}`);
  }
});
afterAll(() => api.close());

/** Each cause, or else the message. */
async function refusalOf(method: string, target: string, body: unknown, type = 'application/json'): Promise<string> {
  const { code, body: status } = await api.send(method, target, body, type);
  const causes = (status.details?.causes ?? []).map(({ field = '', message }) => `${field}: ${message}`);
  return `${code} ${causes.length > 0 ? causes.join('; ') : (status.message ?? '')}`;
}

describe('Options', () => {
  it.each([
    ['dryRun=x&dryRun=All', '422 dryRun: Unsupported value: ["x","All"]: supported values: "All"'],
    ['fieldValidation=x', '422 fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"'],
    [
      'fieldManager=a%01b%7f',
      '422 fieldManager: Invalid value: "a\\x01b\\x7f": invalid character U+0001 (at position 1); ' +
        'fieldManager: Invalid value: "a\\x01b\\x7f": invalid character U+007F (at position 3)',
    ],
    [`fieldManager=${'a'.repeat(129)}`, '422 fieldManager: Too long: may not be more than 128 bytes'],
    [`fieldManager=${'a'.repeat(128)}`, '422 fieldManager: Too long: may not be more than 127 bytes'],
  ])('of a create: %s', async (query, expected) => {
    expect(await refusalOf('POST', `${CRON_JOBS}?${query}`, {})).toBe(expected);
  });

  it.each([
    ['limit=x&timeoutSeconds=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=99999999999999999999', '400 strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['resourceVersion=x', `400 invalid resource version: ${UNKNOWN}`],
    [
      'resourceVersion=1&resourceVersionMatch=x',
      '422 resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""',
    ],
    ['fieldSelector=spec.x%3D1', '400 "spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['fieldSelector=spec.x%3D1&sendInitialEvents=true', '422 sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])('of a list: %s', async (query, expected) => {
    expect(await refusalOf('GET', `${CRON_JOBS}?${query}`, '')).toBe(expected);
  });

  it.each([
    [EVENTS, 'related', '400 field label not supported: related'],
    [CORE_EVENTS, 'note', '400 field label not supported: note'],
    ['/apis/batch/v1/jobs', 'spec', '400 field label "spec" not supported for Job'],
  ])('of a list with fields of its own: %s', async (path, field, expected) => {
    expect(await refusalOf('GET', `${path}?fieldSelector=${field}%3Dx`, '')).toBe(expected);
  });

  it.each([
    [
      { propagationPolicy: 'x' },
      '422 propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: 'Orphan', orphanDependents: true },
      '422 propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [{ gracePeriodSeconds: -1 }, '422 gracePeriodSeconds: Invalid value: -1: must be greater than or equal to 0'],
    [
      { preconditions: { resourceVersion: 'x' } },
      /^409 Operation cannot be fulfilled on CronJob.batch "stored": the ResourceVersion in the precondition \(x\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
    ],
    [
      { preconditions: { uid: 'x' } },
      /^409 Operation cannot be fulfilled on CronJob.batch "stored": the UID in the precondition \(x\) does not match the UID in record \([0-9a-f-]+\)\. The object might have been deleted and then recreated$/,
    ],
  ])('of a delete: %j', async (options, expected) => {
    expect(await refusalOf('DELETE', `${CRON_JOBS}/stored`, options)).toEqual(expect.stringMatching(expected));
  });

  it('of a delete of a collection are read after those of its list', async () => {
    expect(await refusalOf('DELETE', `${CRON_JOBS}?limit=x`, { propagationPolicy: 'x' })).toMatch(/^400 strconv/);
  });
});

describe('The name', () => {
  it.each([
    [{ name: 'other' }, '400 the name of the object (other) does not match the name on the URL (stored)'],
    [{}, '400 the name of the object (stored based on URL) was undeterminable: name must be provided'],
    [{ name: 'stored', namespace: 'other' }, '400 the namespace of the provided object does not match the namespace sent on the request'],
  ])('must be that of the path: %j', async (metadata, expected) => {
    expect(await refusalOf('PUT', `${CRON_JOBS}/stored`, { metadata, ...CRON_JOB })).toBe(expected);
  });

  it('is taken, also where one was to be generated', async () => {
    const body = { metadata: { name: 'stored', generateName: 'stored-' }, ...CRON_JOB };
    const { code, body: status } = await api.send('POST', CRON_JOBS, body, 'application/json');
    expect([code, status.message, status.details]).toEqual([
      409,
      'cronjobs.batch "stored" already exists, the server was not able to generate a unique name for the object',
      { name: 'stored', group: 'batch', kind: 'cronjobs', retryAfterSeconds: 1 },
    ]);
  });

  it('may begin with a dot where it is a path segment', async () => {
    const generate = (path: string, generateName: string) => refusalOf('POST', path, { metadata: { generateName } });
    expect(await generate(`${BUDGETS}?dryRun=All`, '.')).toMatch(/^201/);
    expect(await generate(`${STORAGE_VERSIONS}?dryRun=All`, 'batch.a-')).toMatch(/^422 metadata.generateName: /);
  });
});

describe('A resourceVersion', () => {
  it.each(['0', '00', 'x', '18446744073709551616'])('%s may be in an object that is to be created', async (resourceVersion) => {
    const body = { metadata: { name: 'fresh', resourceVersion }, ...CRON_JOB };
    expect(await refusalOf('POST', `${CRON_JOBS}?dryRun=All`, body)).toMatch(/^201/);
  });

  it('above 0 may not, once the object is right', async () => {
    const create = (spec: object) => refusalOf('POST', CRON_JOBS, { metadata: { name: 'fresh', resourceVersion: '7' }, ...spec });
    expect(await create(CRON_JOB)).toBe('400 resourceVersion should not be set on objects to be created');
    expect(await create({})).toMatch(/^422 spec/);
  });

  it('that is none is refused, also where a PUT creates the object', async () => {
    const body = { ...EVENT, metadata: { name: 'put', resourceVersion: 'x' } };
    expect(await refusalOf('PUT', `${EVENTS}/put`, body)).toMatch(/^422 metadata.resourceVersion: Invalid value: "x"/);
  });

  it('is shown as 0 where it is wanted', async () => {
    expect(await refusalOf('PUT', `${STORAGE_VERSIONS}/batch.stored`, { metadata: { name: 'batch.stored' }, spec: {} })).toBe(
      '422 metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });
});

describe('An Event', () => {
  it('has no group in messages, as its type has none inside of Kubernetes', async () => {
    const { body } = await api.send('POST', EVENTS, { ...EVENT, metadata: { name: 'a' }, type: 'x' }, 'application/json');
    expect([body.message, body.details]).toEqual([
      'Event "a" is invalid: type: Invalid value: "": has invalid value: x',
      { name: 'a', kind: 'Event', causes: [expect.anything()] },
    ]);
    expect(await refusalOf('DELETE', `${EVENTS}/stored`, { preconditions: { uid: 'x' } })).toMatch(/fulfilled on Event "stored"/);
  });

  it.each([
    [
      { deprecatedCount: 1, series: { count: 1 } },
      /series.count: Invalid value: "": should be at least 2.* count: Invalid value: "": needs to be unset/,
    ],
    [{ action: 'ä'.repeat(65) }, /action: Invalid value: "": can have at most 128 characters/],
  ])('that is new: %j', async (members, expected) => {
    expect(await refusalOf('POST', EVENTS, { ...EVENT, metadata: { name: 'a' }, ...members })).toMatch(expected);
  });

  it('shows the text that may not change, and no struct', async () => {
    const body = { ...EVENT, reason: 'Other', eventTime: null, deprecatedCount: 5, regarding: { kind: 'Pod', namespace: 'default' } };
    const refusal = await refusalOf('PUT', `${EVENTS}/stored`, body);
    expect(refusal).toContain('involvedObject: Invalid value: field is immutable');
    expect(refusal).toContain('reason: Invalid value: "Other": field is immutable');
    expect(refusal).toContain('count: Invalid value: 5: field is immutable');
    expect(refusal).toContain('eventTime: Invalid value: null: field is immutable');
  });

  it('of the core group may have any finalizer', async () => {
    const create = (path: string) => refusalOf('POST', `${path}?dryRun=All`, { ...EVENT, metadata: { name: 'a', finalizers: ['mine'] } });
    expect(await create(EVENTS)).toMatch(/metadata.finalizers\[0\]/);
    expect(await create(CORE_EVENTS)).not.toMatch(/finalizers/);
  });
});

describe('A Namespace', () => {
  it.each([
    [
      { uid: 'other' },
      /^409 Operation cannot be fulfilled on namespaces "stored": Precondition failed: UID in precondition: other, UID in object meta: [-0-9a-f]{36}$/,
    ],
    [
      { resourceVersion: '1' },
      /^409 Operation cannot be fulfilled on namespaces "stored": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: \d+$/,
    ],
  ])('with a precondition that fails: %j', async (preconditions, expected) => {
    expect(await refusalOf('DELETE', `${NAMESPACES}/stored`, { preconditions })).toMatch(expected);
  });

  it('checks generateName again', async () => {
    const body = { metadata: { name: 'stored', generateName: 'a_b' } };
    expect(await refusalOf('PUT', `${NAMESPACES}/stored`, body)).toMatch(
      /^422 metadata.generateName: Invalid value: "a_b": a lowercase RFC 1123 label/,
    );
  });

  it('checks the label of its name also where the name is generated', async () => {
    const create = (value: string) => {
      const metadata = { generateName: 'a-', labels: { 'kubernetes.io/metadata.name': value } };
      return api.send('POST', `${NAMESPACES}?dryRun=All`, { metadata }, 'application/json');
    };
    expect(await create('*')).toMatchObject({ code: 422, body: { details: { causes: [{ field: 'metadata.labels' }] } } });
    expect(await create('other')).toMatchObject({ code: 201, text: expect.stringMatching(/"kubernetes.io\/metadata.name":"a-/) });
  });

  it('shows a phase as JSON', async () => {
    const refusal = await refusalOf('PATCH', `${NAMESPACES}/stored/status`, { status: { phase: '<' } }, 'application/merge-patch+json');
    expect(refusal).toMatch(/^422 status.Phase: Invalid value: "\\u003c": may only be/);
  });

  it('is no Table when it is finalized', async () => {
    const { body } = await api.send('GET', `${NAMESPACES}/stored`, '');
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    expect(await api.send('PUT', `${NAMESPACES}/stored/finalize`, body, 'application/json', { accept })).toMatchObject({ code: 406 });
    expect(await api.send('PUT', `${NAMESPACES}/stored/status`, body, 'application/json', { accept })).toMatchObject({
      body: { kind: 'Table' },
    });
  });
});

it('A Job checks generateName again', async () => {
  const { body } = await api.send('GET', `${JOBS}/stored`, '');
  const patch = { metadata: { generateName: '_' } };
  expect(body.kind).toBe('Job');
  expect(await refusalOf('PATCH', `${JOBS}/stored`, patch, 'application/merge-patch+json')).toMatch(
    /^422 metadata.generateName: Invalid value: "_"/,
  );
});

it.each(['completionMode', 'managedBy'])('A Job shows %s as JSON', async (field) => {
  const refusal = await refusalOf('PATCH', `${JOBS}/stored`, { spec: { [field]: '<' } }, 'application/merge-patch+json');
  expect(refusal).toContain(`spec.${field}: Invalid value: "\\u003c": field is immutable`);
});

describe('A patch', () => {
  it('of the uid shows it as JSON', async () => {
    expect(await refusalOf('PATCH', `${CRON_JOBS}/stored`, { metadata: { uid: '<' } }, 'application/merge-patch+json')).toBe(
      '422 metadata.uid: Invalid value: "\\u003c": field is immutable',
    );
  });

  it('does not warn of repeated owners in a body with another name', async () => {
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    const body = { metadata: { name: 'other', ownerReferences: [owner, owner] }, ...CRON_JOB };
    expect(await api.send('PUT', `${CRON_JOBS}/stored`, body, 'application/json')).toMatchObject({ code: 400, warnings: [] });
  });

  it('of null is empty', async () => {
    expect(await refusalOf('PATCH', `${CRON_JOBS}/stored`, 'null', 'application/json-patch+json')).toMatch(/^200/);
    expect(await refusalOf('PATCH', `${CRON_JOBS}/stored?fieldManager=a`, 'null', 'application/apply-patch+yaml')).toBe(
      '400 invalid object type: /, Kind=',
    );
  });

  it('of another type in the core group names it with a slash', async () => {
    const body = { apiVersion: 'v1', metadata: { name: 'stored' } };
    expect(await refusalOf('PATCH', `${CORE_EVENTS}/stored?fieldManager=a`, body, 'application/apply-patch+yaml')).toBe(
      '400 invalid object type: /v1, Kind=',
    );
  });

  it('that creates has no uid, also under another name', async () => {
    const body = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'other', uid: 'x' } };
    expect(await refusalOf('PATCH', `${CRON_JOBS}/missing?fieldManager=a`, body, 'application/apply-patch+yaml')).toBe(
      '409 Operation cannot be fulfilled on cronjobs.batch "missing": uid mismatch: the provided object specified uid x, and no existing object was found',
    );
  });

  it('of a type with too many parts names none', async () => {
    const body = { apiVersion: 'batch/v1/v1', kind: 'CronJob', metadata: { name: 'stored' } };
    expect(await refusalOf('PATCH', `${CRON_JOBS}/stored?fieldManager=a`, body, 'application/apply-patch+yaml')).toBe(
      '400 invalid object type: /, Kind=',
    );
  });

  it('warns of repeated owners in other words than a body', async () => {
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    const metadata = { name: 'owned', ownerReferences: [owner, owner] };
    const created = await api.send('POST', BUDGETS, { metadata }, 'application/json');
    const patched = await api.send('PATCH', `${BUDGETS}/owned`, { metadata }, 'application/merge-patch+json');
    expect(created.warnings.join()).toContain('contains duplicate entries; API server');
    expect(patched.warnings.join()).toContain('contains duplicate entries after mutating admission happens; API server');
  });
});

it('A ControllerRevision names its revision before its data, and checks generateName again', async () => {
  expect(await refusalOf('POST', REVISIONS, { metadata: { name: 'a' }, revision: -1, data: [] })).toBe(
    '422 revision: Invalid value: -1: must be greater than or equal to 0; data: Required value: data must be a valid JSON object',
  );
  const body = { metadata: { name: 'stored', generateName: 'A' }, data: { a: 1 } };
  expect(await refusalOf('PUT', `${REVISIONS}/stored`, body)).toMatch(/^422 metadata.generateName: Invalid value: "A"/);
});

it('Metadata of a list that is none names the type inside of Kubernetes', async () => {
  const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  expect(await api.send('GET', EVENTS, '', undefined, { accept })).toMatchObject({
    code: 406,
    body: { message: 'you requested PartialObjectMetadata, but the requested object is a list (*core.EventList)' },
  });
  expect(await api.send('GET', STORAGE_VERSIONS, '', undefined, { accept })).toMatchObject({
    body: { message: 'you requested PartialObjectMetadata, but the requested object is a list (*apiserverinternal.StorageVersionList)' },
  });
});

it('A ClusterRole names a selector that cannot be read as a whole, too', async () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'X' }] }] };
  const body = { metadata: { name: 'a' }, aggregationRule };
  const at = 'aggregationRule.clusterRoleSelectors[0]';
  expect(await refusalOf('POST', '/apis/rbac.authorization.example.io/v1/clusterroles', body)).toBe(
    `422 ${at}.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator; ` +
      `${at}: Invalid value: null: invalid label selector.`,
  );
});

it('A binding quotes the group of its role as Go does', async () => {
  const body = { metadata: { name: 'a' }, roleRef: { apiGroup: '\ufeff', kind: 'ClusterRole', name: 'a' } };
  expect(await refusalOf('POST', '/apis/rbac.authorization.example.io/v1/clusterrolebindings', body)).toBe(
    '422 roleRef.apiGroup: Unsupported value: "\\ufeff": supported values: "rbac.authorization.example.io"',
  );
});
