import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindNamed, KINDS } from '../../test/registry/test-registry.ts';
import { kindSampleText, SAMPLE_NAMES, type SampleName } from '../../test/support/kind-samples.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject, writeJson } from '../apimachinery/json/write-json.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { Kind } from '../apis/kind.ts';
import { DeleteOptionsShape, TableShape } from '../apis/meta/v1/shapes.gen.ts';
import type { TypeShape } from '../apis/type-shape.ts';
import { createObjectCodec } from './object-codec.ts';
import { createValidator } from './validator.ts';
import { MAX_ERRORS } from './validators/compiled.ts';

const kindNames = KINDS.map(({ definition }) => definition.kind);

const sample = ({ shape, definition }: Kind, name: SampleName): JsonObject =>
  createObjectCodec(shape).decodeBody(Buffer.from(kindSampleText(definition.kind, name))).object;

const decoded = (kind: Kind, text: string): JsonObject => createObjectCodec(kind.shape).decodeBody(Buffer.from(text)).object;
const typeErrors = (kind: Kind, object: JsonValue) => createValidator(kind.shape).typeErrors(object);
const fieldErrors = (kind: Kind, object: JsonValue) => createValidator(kind.shape).fieldErrors(object);
const fieldsOf = (causes: readonly StatusCause[]) => causes.map(({ field }) => field);

interface Spot {
  readonly field: string;
  readonly shape: TypeShape;
  /** Keys and indexes from the root. */
  readonly keys: readonly (string | number)[];
}

/** All values in `value` except the root, with their field paths. */
function spotsIn(shape: TypeShape, value: JsonValue | undefined, at: Omit<Spot, 'shape'> = { field: '', keys: [] }): Spot[] {
  const spot: Spot[] = at.keys.length === 0 ? [] : [{ ...at, shape }];
  if (shape.shape === 'array' && isArray(value)) {
    const items = value.flatMap((item, index) => spotsIn(shape.items, item, { field: `${at.field}[${index}]`, keys: [...at.keys, index] }));
    return [...spot, ...items];
  }
  if (shape.shape === 'map' && isJsonObject(value)) {
    const values = Object.entries(value).flatMap(([key, member]) =>
      spotsIn(shape.values, member, { field: `${at.field}[${key}]`, keys: [...at.keys, key] }),
    );
    return [...spot, ...values];
  }
  if (shape.shape === 'object' && isJsonObject(value)) {
    const members = shape.fields.flatMap(({ name, type }) =>
      value[name] === undefined
        ? []
        : spotsIn(type, value[name], { field: at.field === '' ? name : `${at.field}.${name}`, keys: [...at.keys, name] }),
    );
    return [...spot, ...members];
  }
  return spot;
}

/** A copy with another value at one path. */
function withValue(value: JsonValue | undefined, keys: readonly (string | number)[], replacement: JsonValue): JsonValue {
  const [key, ...rest] = keys;
  if (key === undefined) return replacement;
  if (isArray(value)) return value.map((item, index) => (index === key ? withValue(item, rest, replacement) : item));
  if (isJsonObject(value)) return { ...value, [key]: withValue(value[key], rest, replacement) };
  throw new Error(`nothing at ${String(key)}`);
}

/** A value that no scalar except `any` accepts. */
const wrongFor = (shape: TypeShape): JsonValue => {
  switch (shape.shape) {
    case 'string':
    case 'bytes':
      return 5;
    case 'int-or-string':
      return true;
    case 'array':
      return {};
    default:
      return 'no such thing';
  }
};

describe('type errors', () => {
  it.each(kindNames.flatMap((kind) => SAMPLE_NAMES.map((name) => [kind, name] as const)))(
    'there are none in the %s that is %s',
    (name, which) => {
      const kind = kindNamed(name);
      expect(typeErrors(kind, sample(kind, which))).toEqual([]);
    },
  );

  it.each(kindNames)('a wrong type anywhere in a %s yields one cause with the path of its place', (name) => {
    const kind = kindNamed(name);
    const full = sample(kind, 'full');
    const spots = spotsIn(kind.shape, full).filter(({ shape }) => shape.shape !== 'any');
    expect(spots.length).toBeGreaterThan(20);
    for (const { field, keys, shape } of spots) {
      const causes = typeErrors(kind, withValue(full, keys, wrongFor(shape)));
      expect(causes).toEqual([{ reason: 'FieldValueTypeInvalid', field, message: expect.stringContaining('must be ') }]);
    }
  });

  it('are returned all at once', () => {
    const kind = kindNamed('CronJob');
    const full = sample(kind, 'full');
    const leaves = spotsIn(kind.shape, full).filter(({ shape }) => !['object', 'array', 'map', 'any'].includes(shape.shape));
    const broken = leaves.reduce<JsonValue>((object, { keys, shape }) => withValue(object, keys, wrongFor(shape)), full);
    expect(leaves.length).toBeGreaterThan(400);
    expect(new Set(fieldsOf(typeErrors(kind, broken)))).toEqual(new Set(leaves.slice(0, MAX_ERRORS).map(({ field }) => field)));
  });

  it('put map keys in brackets, whatever they contain', () => {
    const kind = kindNamed('CronJob');
    const labels = { 'app.example.org/name~x': 5, '0': 6 };
    expect(fieldsOf(typeErrors(kind, { metadata: { labels } })).sort()).toEqual([
      'metadata.labels[0]',
      'metadata.labels[app.example.org/name~x]',
    ]);
  });

  it('are found below keys that are special in JavaScript', () => {
    const kind = kindNamed('CronJob');
    const object = decoded(kind, '{"metadata":{"labels":{"__proto__":5,"constructor":{"prototype":6},"toString":"fine"}}}');
    expect(fieldsOf(typeErrors(kind, object)).sort()).toEqual(['metadata.labels[__proto__]', 'metadata.labels[constructor]']);
  });

  it.each(kindNames)('are found in any JSON that claims to be a %s, without a throw', (name) => {
    const kind = kindNamed(name);
    const { typeErrors: typesOf, fieldErrors: presenceOf } = createValidator(kind.shape);
    const full = sample(kind, 'full');
    const spots = spotsIn(kind.shape, full);
    fc.assert(
      fc.property(fc.nat(spots.length - 1), fc.json({ maxDepth: 3 }), (index, text) => {
        const keys = spots[index]?.keys ?? [];
        const object = decoded(kind, writeJson(withValue(full, keys, new RawJson(Buffer.from(text)))));
        if (typesOf(object).length === 0) presenceOf(object);
      }),
      { numRuns: 200 },
    );
  });

  it('describe the value and the expected type', () => {
    const kind = kindNamed('CronJob');
    const object = { spec: { schedule: 5, suspend: 'yes', successfulJobsHistoryLimit: 'three', jobTemplate: [] } };
    expect(typeErrors(kind, object).map(({ message }) => message)).toEqual([
      'Invalid value: 5: must be a string',
      'Invalid value: "yes": must be a boolean',
      'Invalid value: "array": must be an object',
      'Invalid value: "three": must be an integer between -2147483648 and 2147483647',
    ]);
  });

  it('quote only the start of a long value', () => {
    const [cause] = typeErrors(kindNamed('CronJob'), { spec: { suspend: 'x'.repeat(100_000) } });
    expect(cause?.message.length).toBeLessThan(400);
  });

  it('are bounded in number and time', () => {
    const kind = kindNamed('CronJob');
    const containers = Array.from({ length: 300_000 }, () => ({ name: 1, image: 2, args: [3, 4] }));
    const object = { spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } };
    const started = performance.now();
    expect(typeErrors(kind, object)).toHaveLength(MAX_ERRORS);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    ['9223372036854775807', true],
    ['-9223372036854775808', true],
    ['9223372036854775808', false],
    ['-9223372036854775809', false],
    ['9007199254740993', true],
    ['1.5', false],
    ['"5"', false],
  ])('accept an int64 of %s: %s', (text, valid) => {
    const kind = kindNamed('ControllerRevision');
    const causes = typeErrors(kind, decoded(kind, `{"revision":${text}}`));
    expect(fieldsOf(causes)).toEqual(valid ? [] : ['revision']);
  });

  it.each([
    ['2147483647', true],
    ['-2147483648', true],
    ['2147483648', false],
    ['-2147483649', false],
    ['true', false],
  ])('accept an int32 of %s: %s', (text, valid) => {
    const kind = kindNamed('CronJob');
    const causes = typeErrors(kind, decoded(kind, `{"spec":{"successfulJobsHistoryLimit":${text}}}`));
    expect(fieldsOf(causes)).toEqual(valid ? [] : ['spec.successfulJobsHistoryLimit']);
  });

  it.each([
    ['"2026-03-14T15:09:26.535897Z"', true],
    ['"2026-03-14T15:09:26.535897+02:00"', true],
    ['"2026-03-14T15:09:26Z"', false],
    ['"2026-03-14"', false],
    ['5', false],
  ])('accept a micro time of %s: %s', (text, valid) => {
    const kind = kindNamed('Event');
    expect(fieldsOf(typeErrors(kind, decoded(kind, `{"eventTime":${text}}`)))).toEqual(valid ? [] : ['eventTime']);
  });

  it.each([
    ['1', true],
    ['"50%"', true],
    ['2147483648', false],
    ['true', false],
    ['{}', false],
  ])('accept an integer or string of %s: %s', (text, valid) => {
    const kind = kindNamed('PodDisruptionBudget');
    expect(fieldsOf(typeErrors(kind, decoded(kind, `{"spec":{"minAvailable":${text}}}`)))).toEqual(valid ? [] : ['spec.minAvailable']);
  });

  it.each([
    ['{"cpu":"500m","memory":1073741824}', []],
    ['{"cpu":"half","memory":"1GB"}', ['[cpu]', '[memory]']],
    ['{"cpu":true}', ['[cpu]']],
  ])('for the quantities %s are %j', (text, keys) => {
    const kind = kindNamed('VolumeAttachment');
    const object = decoded(kind, `{"spec":{"source":{"inlineVolumeSpec":{"capacity":${text}}}}}`);
    expect(fieldsOf(typeErrors(kind, object))).toEqual(keys.map((key) => `spec.source.inlineVolumeSpec.capacity${key}`));
  });

  it('accept any JSON as raw data, but only in the form that the decoder returns', () => {
    const kind = kindNamed('ControllerRevision');
    expect(typeErrors(kind, { data: new RawJson(Buffer.from('[1]')) })).toEqual([]);
    expect(fieldsOf(typeErrors(kind, { data: [1] }))).toEqual(['data']);
  });

  it('for a body that is not an object have no field', () => {
    expect(typeErrors(kindNamed('CronJob'), [])).toEqual([
      { reason: 'FieldValueTypeInvalid', message: 'Invalid value: "array": must be an object' },
    ]);
  });
});

describe('field errors', () => {
  it.each(kindNames)('there are none in a realistic %s', (name) => {
    const kind = kindNamed(name);
    expect(fieldErrors(kind, sample(kind, 'realistic'))).toEqual([]);
  });

  it.each([
    ['CronJob', ['spec.schedule']],
    ['PodDisruptionBudget', []],
    ['ControllerRevision', ['data']],
    ['Event', []], // eventTime is asked for on create, by the rules
    ['VolumeAttachment', ['spec.attacher', 'spec.nodeName']],
    ['StorageVersion', []],
  ])('for an empty %s are %j', (name, missing) => {
    const kind = kindNamed(name);
    const causes = fieldErrors(kind, sample(kind, 'minimal'));
    expect(new Set(fieldsOf(causes))).toEqual(new Set(missing));
    expect(causes.every(({ reason, message }) => reason === 'FieldValueRequired' && message === 'Required value')).toBe(true);
  });

  it("contain the path inside lists, all at once, in Kubernetes' wording", () => {
    const kind = kindNamed('CronJob');
    const rules = [{ action: 'Ignore' }, { action: 'Sometimes', onExitCodes: {} }];
    const causes = fieldErrors(kind, { spec: { concurrencyPolicy: 'Maybe', jobTemplate: { spec: { podFailurePolicy: { rules } } } } });
    const second = 'spec.jobTemplate.spec.podFailurePolicy.rules[1]';
    expect([...causes].sort((a, b) => ((a.field ?? '') < (b.field ?? '') ? -1 : 1))).toEqual([
      {
        reason: 'FieldValueNotSupported',
        field: 'spec.concurrencyPolicy',
        message: 'Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"',
      },
      {
        reason: 'FieldValueNotSupported',
        field: `${second}.action`,
        message: 'Unsupported value: "Sometimes": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
      },
      { reason: 'FieldValueRequired', field: `${second}.onExitCodes.operator`, message: 'Required value' },
      { reason: 'FieldValueRequired', field: `${second}.onExitCodes.values`, message: 'Required value' },
      { reason: 'FieldValueRequired', field: 'spec.jobTemplate.spec.template', message: 'Required value' },
      { reason: 'FieldValueRequired', field: 'spec.schedule', message: 'Required value' },
    ]);
  });

  it.each([
    ['an empty schedule', { schedule: '' }, ['schedule']],
    ['an empty word that will be defaulted', { schedule: '@daily', concurrencyPolicy: '' }, []],
    [
      'an empty list',
      {
        schedule: '@daily',
        jobTemplate: {
          spec: { template: {}, podFailurePolicy: { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [] } }] } },
        },
      },
      ['jobTemplate.spec.podFailurePolicy.rules[0].onExitCodes.values'],
    ],
  ])('treat %s like its absence', (_what, spec, missing) => {
    const kind = kindNamed('CronJob');
    const object = { spec: { jobTemplate: { spec: { template: {} } }, ...spec } };
    expect(fieldsOf(fieldErrors(kind, object))).toEqual(missing.map((field) => `spec.${field}`));
  });

  it('do not check the contents of shared types', () => {
    const template = { spec: { containers: [{ imagePullPolicy: 'Sometimes' }] } };
    const selector = { matchExpressions: [{}] };
    expect(fieldErrors(kindNamed('CronJob'), { spec: { schedule: '@daily', jobTemplate: { spec: { template, selector } } } })).toEqual([]);
  });

  it('skip metadata and status, whose absent fields get defaults', () => {
    const kind = kindNamed('StorageVersion');
    expect(fieldErrors(kind, { metadata: { ownerReferences: [{}] }, status: { conditions: [{}], storageVersions: [{}] } })).toEqual([]);
  });
});

describe('createValidator', () => {
  it('supports DeleteOptions', () => {
    const validator = createValidator(DeleteOptionsShape);
    expect(validator.typeErrors({ gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: { uid: 'u' } })).toEqual([]);
    expect(fieldsOf(validator.typeErrors({ gracePeriodSeconds: '0', preconditions: { uid: 1 }, dryRun: 'All' }))).toEqual([
      'gracePeriodSeconds',
      'preconditions.uid',
      'dryRun',
    ]);
    expect(validator.fieldErrors({})).toEqual([]);
  });

  it('throws for a shape that is never sent', () => {
    expect(() => createValidator(TableShape)).toThrow('no validator was generated for meta.v1.Table');
  });
});
