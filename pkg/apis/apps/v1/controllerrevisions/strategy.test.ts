import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import type { JsonObject, JsonValue } from '../../../../apimachinery/json/json-value.ts';
import { RawJson } from '../../../../apimachinery/json/raw-json.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const KIND = 'ControllerRevision';
const realistic = JSON.parse(readFileSync(new URL('./testdata/realistic.json', import.meta.url), 'utf8')) as JsonObject;

const raw = (text: string): RawJson => new RawJson(Buffer.from(text));
const revision = (members: Readonly<Record<string, JsonValue>>): KubernetesObject => ({
  kind: KIND,
  apiVersion: 'apps/v1',
  metadata: { name: 'web-1' },
  ...members,
});
const context = { features: createFeatures(), timeZones: createTimeZones() };

describe('A ControllerRevision', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it.each<[string, JsonObject]>([
    ['an empty object', { data: {} }],
    ['what controllers store', { data: realistic['data'] ?? null, revision: realistic['revision'] ?? null }],
    ['the largest revision that is counted exactly', { data: {}, revision: Number.MAX_SAFE_INTEGER }],
  ])('takes %s, and gives it back', async (_, body) => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ revision: 0, ...body });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['no data', { revision: 1 }, ['Required data']],
    ['null', { data: null }, ['Required data']],
    ['a list', { data: [{}] }, ['Required data']],
    ['a string', { data: '{}' }, ['Required data']],
    ['a number', { data: 1 }, ['Required data']],
    ['a negative revision', { data: {}, revision: -1 }, ['Invalid revision']],
    ['both', { data: [], revision: -1 }, ['Invalid revision', 'Required data']],
  ])('refuses %s', async (_, body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['another value', { data: { a: 2 }, revision: 1 }, ['Invalid data']],
    ['another type', { data: [], revision: 1 }, ['Invalid data']],
    ['null', { data: null, revision: 1 }, ['Invalid data']],
    ['nothing', { revision: 1 }, ['Invalid data']],
    ['another value under a negative revision', { data: { a: 2 }, revision: -1 }, ['Invalid revision', 'Invalid data']],
    ['a negative revision alone', { data: { a: 1 }, revision: -1 }, ['Invalid revision']],
  ])('never changes its data, to %s', async (_, after, causes) => {
    expect((await rules.update(KIND, { data: { a: 1 }, revision: 1 }, after)).causes).toEqual(causes);
  });

  it.each([0, 1, 3])('may change its revision from 2 to %i', async (next) => {
    const { causes, object } = await rules.update(KIND, { data: { a: 1 }, revision: 2 }, { data: { a: 1 }, revision: next });
    expect({ causes, revision: object?.['revision'] }).toEqual({ causes: [], revision: next });
  });

  it('compares data token for token', () => {
    const update = (data: string, stored: string) =>
      strategy.validateUpdate?.(revision({ data: raw(data) }), revision({ data: raw(stored) }), context);
    expect(update('{"n":9007199254740993}', '{"n":9007199254740992}')).toEqual([
      { field: 'data', reason: 'FieldValueInvalid', message: 'Invalid value: field is immutable' },
    ]);
    expect(update('{"n":1.0}', '{"n":1}')).toHaveLength(1);
    expect(update('{"a":1,"b":2}', '{"b":2,"a":1}')).toHaveLength(1);
    expect(update('{"n":9007199254740993}', '{"n":9007199254740993}')).toEqual([]);
  });

  it('counts revisions in 64 bits', () => {
    const create = (value: bigint) => strategy.validateCreate?.(revision({ data: raw('{}'), revision: value }), context);
    expect(create(9007199254740993n)).toEqual([]);
    expect(create(-9007199254740993n)).toEqual([
      { field: 'revision', reason: 'FieldValueInvalid', message: 'Invalid value: -9007199254740993: must be greater than or equal to 0' },
    ]);
  });
});
