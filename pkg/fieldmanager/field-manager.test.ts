import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { parseJson } from '../apimachinery/json/parse-json.ts';
import { writeJson } from '../apimachinery/json/write-json.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { createKinds } from '../apis/kinds.gen.ts';
import type { ManagedFieldsEntry } from '../apis/meta/v1/types.gen.ts';
import { createFieldManager, type Applier, type FieldManager } from './field-manager.ts';

const NOW_MS = Date.UTC(2026, 2, 14, 9, 30, 0, 999);
const NOW = '2026-03-14T09:30:00Z';
const EARLIER = '2026-03-14T09:00:00Z';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const kinds = createKinds({ groupSuffix: 'k8s.io' });

function fieldManagerOf(kind: string): FieldManager {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return createFieldManager(found);
}

const cronJobs = fieldManagerOf('CronJob');
const by = (manager: string, others: Partial<Applier> = {}): Applier => ({
  manager,
  subresource: '',
  force: false,
  nowMs: NOW_MS,
  ...others,
});

const cronJob = (spec: JsonObject, metadata: JsonObject = {}): KubernetesObject => ({
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  metadata: { name: 'x', namespace: 'default', ...metadata },
  spec,
});

/** The object as stored, with the fields that the server sets. */
const stored = (object: JsonObject): KubernetesObject => {
  const { metadata, ...rest } = object;
  return { ...rest, metadata: { uid: '1', ...(metadata as JsonObject) } } as unknown as KubernetesObject;
};

const created = (spec: JsonObject, manager: string): KubernetesObject => stored(cronJobs.update(undefined, cronJob(spec), by(manager)));
const applied = (live: KubernetesObject | undefined, spec: JsonObject, applier: Applier): KubernetesObject =>
  stored(cronJobs.apply(live, cronJob(spec), applier));

/** `alice Apply {"f:spec":…}`, in the order of the entries. */
const owners = ({ metadata }: KubernetesObject): readonly string[] =>
  (metadata.managedFields ?? []).map((entry) => {
    const { manager = '', operation = '', subresource, fieldsV1 = null } = entry as ManagedFieldsEntry;
    return `${manager} ${operation} ${subresource === undefined ? '' : `${subresource} `}${writeJson(fieldsV1)}`;
  });

function rejection(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('an update', () => {
  it('makes the creator own every field it set', () => {
    const { metadata } = cronJobs.update(undefined, cronJob({ schedule: '* * * * *', suspend: true }, { labels: { a: 'b' } }), by('alice'));
    expect(metadata.managedFields?.map((entry) => ({ ...entry, fieldsV1: writeJson(entry['fieldsV1'] ?? null) }))).toEqual([
      {
        manager: 'alice',
        operation: 'Update',
        apiVersion: 'batch/v1',
        time: NOW,
        fieldsType: 'FieldsV1',
        fieldsV1: '{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:schedule":{},"f:suspend":{}}}',
      },
    ]);
  });

  it('moves a field to the writer that changes its value', () => {
    const live = created({ schedule: 'a', suspend: true }, 'alice');
    expect(owners(cronJobs.update(live, { ...live, spec: { schedule: 'b', suspend: true } }, by('bob')))).toEqual([
      'alice Update {"f:spec":{"f:suspend":{}}}',
      'bob Update {"f:spec":{"f:schedule":{}}}',
    ]);
  });

  it('leaves managedFields unchanged when nothing changes', () => {
    const live = created({ schedule: 'a' }, 'alice');
    const next = cronJobs.update(live, cronJob({ schedule: 'a' }), by('bob', { nowMs: NOW_MS + 60_000 }));
    expect(next.metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  it('drops removed fields, and owners without fields', () => {
    const live = created({ schedule: 'a', suspend: true }, 'alice');
    const next = cronJobs.update(live, cronJob({ schedule: 'b' }), by('bob'));
    expect(owners(next)).toEqual(['bob Update {"f:spec":{"f:schedule":{}}}']);
  });

  it('does not start to track an object without managedFields', () => {
    const live = stored(cronJob({ schedule: 'a' }));
    expect(cronJobs.update(live, cronJob({ schedule: 'b' }), by('bob')).metadata.managedFields).toBeUndefined();
  });

  it.each([
    ['an empty list', []],
    ['a list of one empty entry', [{}]],
  ])('clears managedFields when sent %s', (_, managedFields) => {
    const live = created({ schedule: 'a' }, 'alice');
    expect(cronJobs.update(live, cronJob({ schedule: 'b' }, { managedFields }), by('bob')).metadata.managedFields).toBeUndefined();
  });

  it('adopts the entries that are sent', () => {
    const live = created({ schedule: 'a', suspend: true }, 'alice');
    const eve = {
      manager: 'eve',
      operation: 'Apply',
      apiVersion: 'batch/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:suspend': {} } },
    };
    const next = cronJobs.update(live, cronJob({ schedule: 'a', suspend: true }, { managedFields: [eve] }), by('bob'));
    expect(owners(next)).toEqual(['eve Apply {"f:spec":{"f:suspend":{}}}']);
  });

  it.each([
    ['an unknown operation', { operation: 'Delete' }],
    ['no version', { apiVersion: '' }],
    ['another type of fields', { fieldsType: 'FieldsV2' }],
    ['invalid fields', { fieldsV1: { 'k:[': {} } }],
  ])('keeps the stored managedFields when a sent entry has %s', (_, wrong) => {
    const live = created({ schedule: 'a' }, 'alice');
    const entry = { manager: 'eve', operation: 'Apply', apiVersion: 'batch/v1', fieldsType: 'FieldsV1', fieldsV1: {}, ...wrong };
    const next = cronJobs.update(live, cronJob({ schedule: 'a' }, { managedFields: [entry] }), by('bob'));
    expect(next.metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  it('drops entries of another version', () => {
    const live = created({ schedule: 'a' }, 'alice');
    const old = {
      manager: 'old',
      operation: 'Update',
      apiVersion: 'batch/v1beta1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:schedule': {} } },
    };
    const managedFields = [...(live.metadata.managedFields ?? []), old];
    expect(owners(cronJobs.update(live, cronJob({ schedule: 'a' }, { managedFields }), by('bob')))).toEqual([
      'alice Update {"f:spec":{"f:schedule":{}}}',
    ]);
  });

  it('moves a value that is now atomic away from an owner of parts of it', () => {
    const selector = (matchLabels: JsonObject) => cronJob({ schedule: 'a', jobTemplate: { spec: { selector: { matchLabels } } } });
    const live = stored(cronJobs.update(undefined, selector({ a: 'x' }), by('alice')));
    const fieldsV1 = { 'f:spec': { 'f:jobTemplate': { 'f:spec': { 'f:selector': { 'f:matchLabels': { 'f:a': {} } } } } } };
    const past = { manager: 'past', operation: 'Apply', apiVersion: 'batch/v1', fieldsType: 'FieldsV1', fieldsV1 };
    const withPastOwner = { ...live, metadata: { ...live.metadata, managedFields: [past] } };
    expect(owners(cronJobs.update(withPastOwner, selector({ a: 'y' }), by('bob')))).toEqual([
      'bob Update {"f:spec":{"f:jobTemplate":{"f:spec":{"f:selector":{}}}}}',
    ]);
  });

  it('names a manager without a name unknown', () => {
    expect(owners(created({ schedule: 'a' }, ''))).toEqual(['unknown Update {"f:spec":{"f:schedule":{}}}']);
  });

  it('keeps ten managers, and merges the oldest into ancient-changes', () => {
    let live = created({ schedule: 'a' }, 'm0');
    for (let at = 1; at <= 11; at++) {
      const labels = { ...(live.metadata.labels ?? {}), [`l${at}`]: 'x' };
      const next = { ...live, metadata: { ...live.metadata, labels } };
      live = cronJobs.update(live, next, by(`m${at}`, { nowMs: NOW_MS + at * 1000 }));
    }
    const managers = (live.metadata.managedFields ?? []).map(({ manager }) => manager);
    expect(managers).toEqual(['ancient-changes', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11']);
    expect(owners(live)[0]).toBe(
      'ancient-changes Update {"f:metadata":{"f:labels":{".":{},"f:l1":{},"f:l2":{}}},"f:spec":{"f:schedule":{}}}',
    );
  });

  it('of the status ignores the spec and managedFields that are sent', () => {
    const live = created({ schedule: 'a' }, 'alice');
    const status = { lastScheduleTime: '2026-03-14T09:00:00Z' };
    const next = { ...cronJob({ schedule: 'b' }, { managedFields: [] }), status };
    expect(owners(cronJobs.update(live, next, by('controller', { subresource: 'status' })))).toEqual([
      'alice Update {"f:spec":{"f:schedule":{}}}',
      'controller Update status {"f:status":{"f:lastScheduleTime":{}}}',
    ]);
  });

  it('of the object gives no owner to a status that it cannot write', () => {
    const live = created({ schedule: 'a' }, 'alice');
    const next = { ...cronJob({ schedule: 'a' }), status: { lastScheduleTime: '2026-03-14T09:00:00Z' } };
    expect(owners(cronJobs.update(live, next, by('bob')))).toEqual(['alice Update {"f:spec":{"f:schedule":{}}}']);
  });

  it.each([
    ['CronJob', { status: { lastScheduleTime: '2026-03-14T09:00:00Z' } }],
    ['VolumeAttachment', { status: { attached: true } }],
    ['StorageVersion', { status: { commonEncodingVersion: 'v1' } }],
  ])('that creates a %s gives no owner to the dropped status', (kind, status) => {
    const found = kinds.find(({ definition }) => definition.kind === kind)?.definition;
    const object = { kind, apiVersion: found?.apiVersion ?? '', metadata: { name: 'x' }, ...status };
    expect(fieldManagerOf(kind).update(undefined, object, by('alice')).metadata.managedFields).toBeUndefined();
  });
});

describe('an apply', () => {
  it('creates the object and owns the fields of its configuration', () => {
    const object = applied(undefined, { schedule: 'a' }, by('alice'));
    expect(owners(object)).toEqual(['alice Apply {"f:spec":{"f:schedule":{}}}']);
    expect(object.metadata.managedFields?.[0]).toMatchObject({ apiVersion: 'batch/v1', time: NOW });
  });

  it('shares ownership of a field applied with its current value', () => {
    const object = applied(created({ schedule: 'a' }, 'alice'), { schedule: 'a' }, by('bob'));
    expect(owners(object)).toEqual(['bob Apply {"f:spec":{"f:schedule":{}}}', 'alice Update {"f:spec":{"f:schedule":{}}}']);
  });

  it('repeated by the same manager in another version keeps its time', () => {
    const live = applied(undefined, { schedule: 'a' }, by('alice'));
    const inOtherVersion = (live.metadata.managedFields ?? []).map((entry) => ({ ...entry, apiVersion: 'batch/v2', time: EARLIER }));
    const again = applied({ ...live, metadata: { ...live.metadata, managedFields: inOtherVersion } }, { schedule: 'a' }, by('alice'));
    expect(again.metadata.managedFields).toMatchObject([{ manager: 'alice', apiVersion: 'batch/v1', time: EARLIER }]);
  });

  it('is rejected with a cause for each field that it would change and others own', () => {
    const live = applied(created({ schedule: 'a' }, 'alice'), { suspend: true }, by('carol'));
    const error = rejection(() => applied(live, { schedule: 'b', suspend: false }, by('bob')));
    expect(error.toStatus()).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(error.details).toEqual({
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "alice" using batch/v1', field: '.spec.schedule' },
        { reason: 'FieldManagerConflict', message: 'conflict with "carol"', field: '.spec.suspend' },
      ],
    });
    expect(error.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "alice" using batch/v1:\n- .spec.schedule\nconflicts with "carol":\n- .spec.suspend',
    );
  });

  it('reports a single conflict on one line', () => {
    const live = applied(undefined, { schedule: 'a' }, by('alice'));
    expect(rejection(() => applied(live, { schedule: 'b' }, by('bob'))).message).toBe(
      'Apply failed with 1 conflict: conflict with "alice": .spec.schedule',
    );
  });

  it('reports the subresource of the conflicting manager', () => {
    const live = created({ schedule: 'a' }, 'alice');
    const next = { ...live, status: { lastScheduleTime: '2026-03-14T09:00:00Z' } };
    const withStatus = stored(cronJobs.update(live, next, by('controller', { subresource: 'status' })));
    const config = {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: { name: 'x' },
      status: { lastScheduleTime: '2026-03-14T10:00:00Z' },
    };
    expect(rejection(() => cronJobs.apply(withStatus, config, by('bob', { subresource: 'status' }))).message).toBe(
      'Apply failed with 1 conflict: conflict with "controller" with subresource "status" using batch/v1: .status.lastScheduleTime',
    );
  });

  it('takes the fields with force', () => {
    const live = applied(undefined, { schedule: 'a', suspend: true }, by('alice'));
    const object = applied(live, { schedule: 'b' }, by('bob', { force: true }));
    expect(object['spec']).toMatchObject({ schedule: 'b', suspend: true });
    expect(owners(object)).toEqual(['alice Apply {"f:spec":{"f:suspend":{}}}', 'bob Apply {"f:spec":{"f:schedule":{}}}']);
  });

  it('removes fields that it no longer applies and that have no other owner', () => {
    const both = { schedule: 'a', suspend: true, startingDeadlineSeconds: 1 };
    const live = applied(applied(undefined, both, by('alice')), { startingDeadlineSeconds: 1 }, by('bob'));
    const object = applied(live, { schedule: 'a' }, by('alice'));
    expect(object['spec']).toMatchObject({ schedule: 'a', startingDeadlineSeconds: 1 });
    expect(object['spec']).not.toHaveProperty('suspend');
  });

  it('keeps the parts of a dropped list item that have another owner or none', () => {
    const pods = (...containers: readonly JsonObject[]): JsonObject => ({
      jobTemplate: { spec: { template: { spec: containers.length === 0 ? {} : { containers } } } },
    });
    const own = applied(undefined, pods({ name: 'a', image: 'i', workingDir: '/' }, { name: 'b', image: 'i' }), by('alice'));
    const shared = applied(own, pods({ name: 'a', tty: true }), by('bob'));
    // As if the server had set defaults.
    const live = {
      ...shared,
      spec: pods({ name: 'a', image: 'i', workingDir: '/', tty: true, stdin: true }, { name: 'b', image: 'i', stdin: true }),
    };
    const object = applied(live, pods(), by('alice'));
    expect(object['spec']).toMatchObject(pods({ name: 'a', tty: true, stdin: true }));
    expect(writeJson(object['spec'] ?? null)).not.toMatch(/image|workingDir/);
  });

  it('drops the owner that applies nothing', () => {
    const live = applied(applied(undefined, { schedule: 'a', suspend: true }, by('alice')), { schedule: 'a' }, by('bob'));
    expect(owners(stored(cronJobs.apply(live, { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'x' } }, by('alice'))))).toEqual(
      ['bob Apply {"f:spec":{"f:schedule":{}}}'],
    );
  });

  it('keeps its time when it changes nothing', () => {
    const live = applied(undefined, { schedule: 'a' }, by('alice'));
    expect(applied(live, { schedule: 'a' }, by('alice', { nowMs: NOW_MS + 60_000 }))).toEqual(live);
  });

  it('attributes fields of an untracked object to before-first-apply', () => {
    const live = stored(cronJob({ schedule: 'a', suspend: true }));
    const error = rejection(() => applied(live, { schedule: 'b' }, by('alice')));
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "before-first-apply" using batch/v1: .spec.schedule');
    expect(owners(applied(live, { schedule: 'a' }, by('alice')))).toEqual([
      'alice Apply {"f:spec":{"f:schedule":{}}}',
      'before-first-apply Update {"f:spec":{"f:schedule":{},"f:suspend":{}}}',
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ['another kind', { kind: 'Job', apiVersion: 'batch/v1' }, 'invalid object type: batch/v1, Kind=Job'],
    ['another version', { kind: 'CronJob', apiVersion: 'batch/v9' }, 'invalid object type: batch/v9, Kind=CronJob'],
    ['no kind', { apiVersion: 'batch/v1' }, 'invalid object type: batch/v1, Kind='],
    ['no version', { kind: 'CronJob' }, 'invalid object type: /, Kind=CronJob'],
    ['managedFields', { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
  ])('of %s is a bad request', (_, config, message) => {
    const error = rejection(() => cronJobs.apply(undefined, config, by('alice')));
    expect(error).toMatchObject({ reason: 'BadRequest', message });
  });

  it('of undeclared fields is a bad request that names each of them', () => {
    const error = rejection(() => applied(undefined, { schedule: 1, nope: true }, by('alice')));
    expect(error.reason).toBe('BadRequest');
    expect(error.details?.causes?.map(({ field }) => field).sort()).toEqual(['.spec.nope', '.spec.schedule']);
  });
});

describe('a server-side apply by kubectl after a client-side apply', () => {
  const lastApplied = (spec: JsonObject) => ({ [LAST_APPLIED]: JSON.stringify(cronJob(spec)) });
  const live = (spec: JsonObject, said: JsonObject): KubernetesObject =>
    stored(cronJobs.update(undefined, cronJob(spec, { annotations: lastApplied(said) }), by('kubectl-client-side-apply')));

  it('does not conflict with fields that are unchanged since', () => {
    const object = applied(live({ schedule: 'a' }, { schedule: 'a' }), { schedule: 'b' }, by('kubectl'));
    expect(object['spec']).toMatchObject({ schedule: 'b' });
  });

  it('conflicts with fields that were changed since', () => {
    const message = 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using batch/v1: .spec.schedule';
    expect(rejection(() => applied(live({ schedule: 'c' }, { schedule: 'a' }), { schedule: 'b' }, by('kubectl'))).message).toBe(message);
  });

  it.each([
    ['is not JSON', '{'],
    ['is of another version', '{"apiVersion":"batch/v1beta1","kind":"CronJob","spec":{"schedule":"a"}}'],
    ['is of another kind', '{"apiVersion":"batch/v1","kind":"Job","spec":{"schedule":"a"}}'],
    ['does not fit the type', '{"apiVersion":"batch/v1","kind":"CronJob","spec":{"schedule":"a","nope":1}}'],
  ])('conflicts when the annotation %s', (_, text) => {
    const odd = cronJob({ schedule: 'a' }, { annotations: { [LAST_APPLIED]: text } });
    const object = stored(cronJobs.update(undefined, odd, by('kubectl-client-side-apply')));
    expect(rejection(() => applied(object, { schedule: 'b' }, by('kubectl'))).reason).toBe('Conflict');
  });

  it('conflicts under any other manager name', () => {
    expect(rejection(() => applied(live({ schedule: 'a' }, { schedule: 'a' }), { schedule: 'b' }, by('alice'))).reason).toBe('Conflict');
  });

  it('updates the annotation, so that client-side apply still works', () => {
    const { metadata } = applied(live({ schedule: 'a' }, { schedule: 'a' }), { schedule: 'b' }, by('kubectl'));
    expect(parseJson(Buffer.from(metadata.annotations?.[LAST_APPLIED] ?? '')).value).toEqual(cronJob({ schedule: 'b' }));
  });

  it('writes a null annotation as an empty string into the configuration', () => {
    const config = cronJob({ schedule: 'a' }, { annotations: { note: null } });
    const { metadata } = stored(cronJobs.apply(live({ schedule: 'a' }, { schedule: 'a' }), config, by('kubectl')));
    expect(metadata.annotations?.[LAST_APPLIED]).toBe(
      '{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"annotations":{"note":""},"name":"x","namespace":"default"},"spec":{"schedule":"a"}}\n',
    );
  });

  it('removes the annotation when annotations would exceed their limit', () => {
    const config = cronJob({ schedule: 'a' }, { annotations: { note: 'x'.repeat(200_000) } });
    const { metadata } = stored(cronJobs.apply(live({ schedule: 'a' }, { schedule: 'a' }), config, by('kubectl')));
    expect(Object.keys(metadata.annotations ?? {})).toEqual(['note']);
  });
});

describe('an object with a list item that nothing identifies', () => {
  const accounts = fieldManagerOf('ServiceAccount');
  const account = (...names: readonly string[]): KubernetesObject => ({
    kind: 'ServiceAccount',
    apiVersion: 'v1',
    metadata: { name: 'x', namespace: 'default' },
    secrets: names.map((name) => (name === '-' ? {} : { name })),
  });
  const before = stored(accounts.update(undefined, account('a'), by('alice')));

  it('has no owners after any update of it or to it, as in Kubernetes', () => {
    expect(owners(before)).toEqual(['alice Update {"f:secrets":{".":{},"k:{\\"name\\":\\"a\\"}":{}}}']);
    expect(owners(accounts.update(undefined, account('a', '-'), by('alice')))).toEqual([]);
    expect(owners(accounts.update(before, account('a', ''), by('bob')))).toEqual([]);
    const unidentified = stored({ ...account('-'), metadata: { ...before.metadata } });
    expect(owners(accounts.update(unidentified, account('a'), by('bob')))).toEqual([]);
  });

  it('cannot be applied to', () => {
    const { reason, message } = rejection(() => accounts.apply(stored(account('a', '-')), account('b'), by('alice')));
    expect([reason, message]).toEqual([
      'BadRequest',
      'failed to create typed live object (v1, Kind=ServiceAccount): .secrets: element 1: an element has none of the keys of its list: name',
    ]);
  });
});
