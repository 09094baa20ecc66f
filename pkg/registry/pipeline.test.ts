import { describe, expect, it } from '@jest/globals';
import { type AdmissionPlugin, createAdmissionChain } from '../admission/admission.ts';
import { createFeatures } from '../apimachinery/features/features.ts';
import { createTimeZones } from '../apimachinery/time/time-zones.ts';
import type { Strategy } from '../apis/kind.ts';
import { invalidValue, notSupported } from '../apimachinery/status/causes.ts';
import { badRequest } from '../apimachinery/status/status-error.ts';
import type { FieldManager } from '../fieldmanager/field-manager.ts';
import { kindNamed, never, sample } from '../../test/registry/test-registry.ts';
import { type CreateWrite, type ObjectRules, prepareWrite, type UpdateWrite, WRITE_STEPS } from './pipeline.ts';

/** Does not track field owners. */
const NOBODY: FieldManager = {
  update: (_live, next) => next,
  apply: () => {
    throw new Error('nothing is applied here');
  },
};
const NO_RULES: ObjectRules = { schema: () => [], metaOnCreate: () => [], metaOnUpdate: () => [] };
const cronJob = kindNamed('CronJob');
const base = { namespace: 'n', name: 'a', dryRun: false, signal: never, nowMs: 0 };
const creating: CreateWrite = { ...base, operation: 'CREATE', object: sample('CronJob', { name: 'a' }), uid: 'u-1' };
const updating: UpdateWrite = { ...base, operation: 'UPDATE', subresource: '', object: creating.object, stored: creating.object };

const prepare = (
  write: CreateWrite | UpdateWrite,
  strategy: Strategy = {},
  rules: Partial<ObjectRules> = {},
  plugins: readonly AdmissionPlugin[] = [],
  fieldManager: FieldManager = NOBODY,
) =>
  prepareWrite(
    {
      kind: { ...cronJob, strategy },
      rules: { ...NO_RULES, ...rules },
      fieldManager,
      admission: createAdmissionChain(plugins),
      ruleContext: { features: createFeatures(), timeZones: createTimeZones() },
    },
    write,
  );

describe('the write pipeline', () => {
  it('has these steps', () => {
    expect(WRITE_STEPS).toEqual([
      'defaults',
      'field management',
      'admission (mutating)',
      'strategy',
      'validation',
      'warnings',
      'admission (validating)',
      'storage',
    ]);
  });

  it('runs them in this order', async () => {
    const seen: string[] = [];
    const note = (step: string) => void seen.push(step);
    const strategy: Strategy = {
      applyDefaults: (object) => {
        note('defaults');
        return object;
      },
      applyStoredDefaults: (object) => {
        note('stored defaults');
        return object;
      },
      validateCreate: ({ metadata }) => {
        note(`kind rules, uid ${metadata.uid ?? ''}`);
        return [];
      },
    };
    const plugin: AdmissionPlugin = {
      name: 'p',
      admit: async (_, object) => {
        note(`admit, uid ${object.metadata.uid ?? ''}`);
        return object;
      },
      validate: async () => note('validate'),
    };
    const rules = {
      metaOnCreate: () => {
        note('metadata rules');
        return [];
      },
    };
    await prepare(creating, strategy, rules, [plugin]);
    expect(seen).toEqual(['defaults', 'admit, uid ', 'metadata rules', 'kind rules, uid u-1', 'validate', 'stored defaults']);
  });

  it('stores defaults of a stored object without checking them', async () => {
    const labels = { made: 'here' };
    const strategy: Strategy = {
      applyStoredDefaults: (object) => ({ ...object, metadata: { ...object.metadata, labels } }),
      validateCreate: ({ metadata }) => (metadata.labels === labels ? [invalidValue('metadata.labels', '', 'too early')] : []),
    };
    expect((await prepare(creating, strategy)).metadata.labels).toBe(labels);
    expect((await prepare({ ...updating, subresource: 'status' }, strategy)).metadata.labels).toBe(labels);
  });

  it('stores what admission made of the object', async () => {
    const plugin: AdmissionPlugin = {
      name: 'p',
      admit: async (_, object) => ({ ...object, metadata: { ...object.metadata, labels: { admitted: 'yes' } } }),
    };
    expect((await prepare(creating, {}, {}, [plugin])).metadata.labels).toEqual({ admitted: 'yes' });
  });

  it('warns of objects that pass, and not of their status', async () => {
    const strategy: Strategy = { warnOnCreate: () => ['odd'], warnOnUpdate: () => ['odder'] };
    const told: string[] = [];
    const warn = (text: string) => void told.push(text);
    await prepare({ ...creating, warn }, strategy);
    await prepare({ ...updating, warn }, strategy);
    await prepare({ ...updating, subresource: 'status', warn }, strategy);
    const refusing = { ...strategy, validateCreate: () => [invalidValue('spec', '', 'no')] };
    await expect(prepare({ ...creating, warn }, refusing)).rejects.toThrow('no');
    expect(told).toEqual(['odd', 'odder']);
  });

  it('ends where admission refuses', async () => {
    const plugin: AdmissionPlugin = { name: 'p', validate: async () => Promise.reject(badRequest('no')) };
    await expect(prepare(creating, {}, {}, [plugin])).rejects.toThrow('no');
  });

  it('lets a kind set fields on create, from the uid, without the status that was sent, and before its rules', async () => {
    const seen: unknown[] = [];
    const strategy: Strategy = {
      status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec' },
      prepareForCreate: (object) => {
        seen.push(object.metadata.uid, object['status']);
        return { ...object, spec: 'prepared' };
      },
      validateCreate: ({ spec }) => {
        seen.push(spec);
        return [];
      },
    };
    const sent = { ...creating.object, status: { active: [] } };
    expect((await prepare({ ...creating, object: sent }, strategy))['spec']).toBe('prepared');
    expect(seen).toEqual(['u-1', undefined, 'prepared']);
    expect((await prepare(updating, strategy))['spec']).toEqual(updating.object['spec']);
  });

  it('lists the causes of metadata, schema and kind together, each failure once', async () => {
    const cause = (field: string, why: string) => invalidValue(field, '', why);
    const rules = {
      metaOnUpdate: () => [cause('metadata.name', 'meta')],
      schema: () => ['spec.a', 'spec.b', 'spec.d', 'spec.e'].map((field) => cause(field, 'schema')),
    };
    // A rule for the same or an inner field replaces the cause of the schema.
    const found = ['spec.b', 'spec.c', 'spec.d.f', 'spec.e[0]'].map((field) => cause(field, 'rule'));
    const strategy = { validateUpdate: () => found };
    await expect(prepare(updating, strategy, rules)).rejects.toMatchObject({
      details: {
        causes: [cause('metadata.name', 'meta'), cause('spec.a', 'schema'), ...found],
      },
    });
  });

  it('lists once what a rule says of a list and the schema of its element', async () => {
    const rules = { schema: () => ['spec.a[1]', 'spec.b[0]', 'spec.c[0]'].map((field) => notSupported(field, 'x', ['y'])) };
    const found = [notSupported('spec.a', 'x', ['y']), invalidValue('spec.b', '', 'rule')];
    await expect(prepare(updating, { validateUpdate: () => found }, rules)).rejects.toMatchObject({
      details: { causes: [notSupported('spec.b[0]', 'x', ['y']), notSupported('spec.c[0]', 'x', ['y']), ...found] },
    });
  });

  it('lets the field manager see what was stored and what is sent with defaults, and admission what it says', async () => {
    const seen: unknown[] = [];
    const fieldManager: FieldManager = {
      ...NOBODY,
      update: (live, next, { manager, subresource }) => {
        seen.push([live?.metadata.name, next['spec'], manager, subresource]);
        return { ...next, metadata: { ...next.metadata, managedFields: [{ manager }] } };
      },
    };
    const applyDefaults: Strategy['applyDefaults'] = (object) => ({ ...object, spec: 'defaulted' });
    const admitted: unknown[] = [];
    const plugin: AdmissionPlugin = {
      name: 'p',
      admit: async (_, object) => {
        admitted.push(object.metadata.managedFields);
        return object;
      },
    };
    const run = (write: CreateWrite | UpdateWrite) => prepare(write, { applyDefaults }, {}, [plugin], fieldManager);
    await run({ ...creating, manager: 'me' });
    const updated = await run({ ...updating, subresource: 'status', manager: 'me' });
    expect(seen).toEqual([
      [undefined, 'defaulted', 'me', ''],
      ['a', 'defaulted', 'me', 'status'],
    ]);
    expect(admitted).toEqual([[{ manager: 'me' }], [{ manager: 'me' }]]);
    expect(updated.metadata.managedFields).toEqual([{ manager: 'me' }]);
  });

  it('takes managedFields as they are when nobody in particular writes', async () => {
    const managedFields = [{ manager: 'applied' }];
    const object = { ...updating.object, metadata: { ...updating.object.metadata, managedFields } };
    const fieldManager: FieldManager = { ...NOBODY, update: (_, next) => ({ ...next, metadata: {} }) };
    expect((await prepare({ ...updating, object }, {}, {}, [], fieldManager)).metadata.managedFields).toEqual(managedFields);
  });

  it('takes out owner references that are there twice', async () => {
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    const ownerReferences = [owner, { ...owner, uid: 'v' }, { ...owner }];
    const object = { ...creating.object, metadata: { ...creating.object.metadata, ownerReferences } };
    const once = [owner, { ...owner, uid: 'v' }];
    const managed: unknown[] = [];
    const fieldManager: FieldManager = {
      ...NOBODY,
      update: (_, next) => {
        managed.push(next.metadata.ownerReferences);
        return next;
      },
    };
    const { metadata } = await prepare({ ...creating, object, manager: 'me' }, {}, {}, [], fieldManager);
    expect([metadata.ownerReferences, ...managed]).toEqual([once, once]);
  });
});
