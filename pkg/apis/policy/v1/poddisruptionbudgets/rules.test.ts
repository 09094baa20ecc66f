import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../apimachinery/json/json-value.ts';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const context = { features: createFeatures(), timeZones: createTimeZones() };

const KIND = 'PodDisruptionBudget';
const budget = (spec: JsonObject): JsonObject => ({ spec });
const requirement = (more: JsonObject): JsonObject => ({ selector: { matchExpressions: [{ key: 'a', ...more }] } });
const condition = (more: JsonObject): JsonObject => ({
  type: 'DisruptionAllowed',
  status: 'True',
  lastTransitionTime: '2026-03-14T15:00:00Z',
  reason: 'SufficientPods',
  message: '',
  ...more,
});
const conditions = (...all: readonly JsonObject[]): JsonObject => ({ conditions: all });
const COUNTS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const realistic = JSON.parse(readFileSync(new URL('./testdata/realistic.json', import.meta.url), 'utf8')) as {
  readonly spec: JsonObject;
  readonly status: JsonObject;
};

describe('A PodDisruptionBudget', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const setStatus = (status: JsonObject) => rules.update(KIND, budget({ minAvailable: 1 }), { status }, 'status');

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['a number', { minAvailable: 0 }],
    ['a percentage', { maxUnavailable: '100%' }],
    ['zeros before a percentage', { maxUnavailable: '007%' }],
    ['a selector of everything', { selector: {} }],
    ['every operator', realistic.spec],
  ])('may ask for %s, and gives it back', async (_, spec) => {
    const { causes, object } = await rules.create(KIND, budget(spec));
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ spec, status: COUNTS });
    expect(Object.keys(object?.['spec'] ?? {})).toEqual(Object.keys(spec));
  });

  it('may have no spec', async () => {
    expect((await rules.create(KIND, {})).object).toMatchObject({ spec: {}, status: COUNTS });
  });

  it.each<[string, JsonValue, JsonObject]>([
    ['an empty selector from an absent one', {}, { selector: {} }],
    ['a null selector as an absent one', null, {}],
  ])('tells %s', async (_, selector, spec) => {
    const { object } = await rules.create(KIND, budget({ selector }));
    expect(object?.['spec']).toEqual(spec);
  });

  it.each<[string, JsonObject, JsonObject, number]>([
    ['from absent to empty', {}, { selector: {} }, 2],
    ['from empty to absent', { selector: {} }, {}, 2],
    ['from absent to null', {}, { selector: null }, 1],
    ['from empty to an empty list', { selector: {} }, { selector: { matchExpressions: [] } }, 1],
  ])('counts a change of selector %s as it is', async (_, before, after, generation) => {
    const { object } = await rules.update(KIND, budget(before), budget(after));
    expect(object?.['metadata']).toMatchObject({ generation });
  });

  const SPECS: readonly [string, JsonObject, readonly string[]][] = [
    ['both numbers', { minAvailable: 1, maxUnavailable: 1 }, ['Invalid spec']],
    ['a negative minAvailable', { minAvailable: -1 }, ['Invalid spec.minAvailable']],
    ['a negative maxUnavailable', { maxUnavailable: -1 }, ['Invalid spec.maxUnavailable']],
    ['digits without %', { minAvailable: '1' }, ['Invalid spec.minAvailable']],
    ['an empty text', { maxUnavailable: '' }, ['Invalid spec.maxUnavailable']],
    ['a negative percentage', { minAvailable: '-1%' }, ['Invalid spec.minAvailable']],
    ['a fraction of a percent', { minAvailable: '1.5%' }, ['Invalid spec.minAvailable']],
    ['more than 100 %', { maxUnavailable: '101%' }, ['Invalid spec.maxUnavailable']],
    ['far more than 100 %', { maxUnavailable: `${'9'.repeat(40)}%` }, ['Invalid spec.maxUnavailable']],
    ['a label that is none', { selector: { matchLabels: { 'a b': 'c' } } }, ['Invalid spec.selector.matchLabels']],
    ['a label value that is none', { selector: { matchLabels: { a: '-' } } }, ['Invalid spec.selector.matchLabels']],
    ['an operator that is none', requirement({ operator: 'Is' }), ['Invalid spec.selector.matchExpressions[0].operator']],
    ['In without values', requirement({ operator: 'In' }), ['Required spec.selector.matchExpressions[0].values']],
    ['NotIn without values', requirement({ operator: 'NotIn', values: [] }), ['Required spec.selector.matchExpressions[0].values']],
    ['Exists with values', requirement({ operator: 'Exists', values: ['b'] }), ['Forbidden spec.selector.matchExpressions[0].values']],
    [
      'DoesNotExist with values',
      requirement({ operator: 'DoesNotExist', values: ['b'] }),
      ['Forbidden spec.selector.matchExpressions[0].values'],
    ],
    ['a key that is none', requirement({ operator: 'Exists', key: '-' }), ['Invalid spec.selector.matchExpressions[0].key']],
    ['a value that is none', requirement({ operator: 'In', values: ['b', '-'] }), ['Invalid spec.selector.matchExpressions[0].values[1]']],
    ['an unknown eviction policy', { unhealthyPodEvictionPolicy: 'Never' }, ['NotSupported spec.unhealthyPodEvictionPolicy']],
    ['an empty eviction policy', { unhealthyPodEvictionPolicy: '' }, ['NotSupported spec.unhealthyPodEvictionPolicy']],
    [
      'everything at once',
      { minAvailable: -1, maxUnavailable: '101%', selector: { matchLabels: { a: '-' } }, unhealthyPodEvictionPolicy: 'x' },
      [
        'Invalid spec',
        'Invalid spec.minAvailable',
        'Invalid spec.maxUnavailable',
        'Invalid spec.selector.matchLabels',
        'NotSupported spec.unhealthyPodEvictionPolicy',
      ],
    ],
  ];

  it.each(SPECS)('refuses %s, new and changed', async (_, spec, causes) => {
    expect((await rules.create(KIND, budget(spec))).causes).toEqual(causes);
    expect((await rules.update(KIND, budget({}), budget(spec))).causes).toEqual(causes);
  });

  it('says what is wrong', async () => {
    const { messages } = await rules.create(KIND, budget({ minAvailable: '5', maxUnavailable: '101%' }));
    expect(messages).toEqual({
      spec: 'Invalid value: minAvailable and maxUnavailable cannot be both set',
      'spec.minAvailable': expect.stringContaining('Invalid value: "5": a valid percent string must be a numeric string') as unknown,
      'spec.maxUnavailable': 'Invalid value: "101%": must not be greater than 100%',
    });
  });

  it('may change everywhere in its spec', async () => {
    const { causes, object } = await rules.update(KIND, budget({ minAvailable: 1, selector: {} }), budget(realistic.spec));
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ spec: realistic.spec, metadata: { generation: 2 } });
  });

  it('keeps values of labels that were wrong before they were checked', () => {
    const stored = (spec: JsonObject): KubernetesObject => ({ kind: KIND, apiVersion: 'policy/v1', metadata: { name: 'old' }, spec });
    const wrong = stored(requirement({ operator: 'In', values: ['-'] }));
    expect(strategy.validateUpdate?.(wrong, wrong, context)).toEqual([]);
    expect(strategy.validateUpdate?.(wrong, stored(requirement({ operator: 'In', values: ['b'] })), context)).toHaveLength(1);
  });

  it('gets its status on /status alone', async () => {
    const { status } = realistic;
    expect((await rules.create(KIND, { spec: {}, status: { expectedPods: -1 } })).object?.['status']).toEqual(COUNTS);
    expect((await rules.update(KIND, budget({}), { spec: { minAvailable: 1 }, status })).object?.['status']).toEqual(COUNTS);
    const { causes, object } = await setStatus(status);
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ spec: { minAvailable: 1 }, status, metadata: { generation: 1 } });
  });

  it('keeps its spec on /status, right or wrong', async () => {
    const wrong = { spec: { minAvailable: -1 }, status: { observedGeneration: -1, disruptedPods: { 'no name!': '2026-01-01T00:00:00Z' } } };
    const { causes, object } = await rules.update(KIND, budget({ maxUnavailable: 1 }), wrong, 'status');
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ spec: { maxUnavailable: 1 }, status: { ...COUNTS, ...wrong.status } });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ...Object.keys(COUNTS).map((name): [string, JsonObject, readonly string[]] => [
      `a negative ${name}`,
      { [name]: -1 },
      [`Invalid status.${name}`],
    ]),
    ['a type that is no qualified name', conditions(condition({ type: 'a b' })), ['Invalid status.conditions[0].type']],
    ['a type twice', conditions(condition({}), condition({ status: 'False' })), ['Duplicate status.conditions[1].type']],
    ['a status that is none', conditions(condition({ status: 'true' })), ['NotSupported status.conditions[0].status']],
    [
      'a negative observedGeneration',
      conditions(condition({ observedGeneration: -1 })),
      ['Invalid status.conditions[0].observedGeneration'],
    ],
    ['no time', conditions(condition({ lastTransitionTime: null })), ['Required status.conditions[0].lastTransitionTime']],
    ['no reason', conditions(condition({ reason: '' })), ['Required status.conditions[0].reason']],
    ['a reason that is no word', conditions(condition({ reason: 'two words' })), ['Invalid status.conditions[0].reason']],
    ['a reason with a colon at its end', conditions(condition({ reason: 'A:' })), ['Invalid status.conditions[0].reason']],
    ['a long reason', conditions(condition({ reason: 'a'.repeat(1025) })), ['TooLong status.conditions[0].reason']],
    ['a long message', conditions(condition({ message: 'ü'.repeat(16_385) })), ['TooLong status.conditions[0].message']],
    [
      'a condition that says nothing',
      { ...conditions({}), expectedPods: -1 },
      [
        'Invalid status.conditions[0].type',
        'Invalid status.conditions[0].type',
        'NotSupported status.conditions[0].status',
        'Required status.conditions[0].lastTransitionTime',
        'Required status.conditions[0].reason',
        'Invalid status.expectedPods',
      ],
    ],
  ])('refuses %s on /status', async (_, status, causes) => {
    expect((await setStatus(status)).causes).toEqual(causes);
  });

  it.each<[string, JsonObject]>([
    ['a reason of several', { reason: 'A_1,B:c_' }],
    ['the longest texts', { reason: 'a'.repeat(1024), message: 'm'.repeat(32_768) }],
    ['a type with a domain', { type: 'example.com/Ready', status: 'Unknown', observedGeneration: 0 }],
  ])('takes a condition with %s', async (_, more) => {
    expect((await setStatus(conditions(condition(more)))).causes).toEqual([]);
  });
});
