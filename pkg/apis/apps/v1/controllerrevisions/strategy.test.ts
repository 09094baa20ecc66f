import { describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import type { JsonValue } from '../../../../apimachinery/json/json-value.ts';
import { RawJson } from '../../../../apimachinery/json/raw-json.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const raw = (text: string): RawJson => new RawJson(Buffer.from(text));
const revision = (members: Readonly<Record<string, JsonValue>>): KubernetesObject => ({
  kind: 'ControllerRevision',
  apiVersion: 'apps/v1',
  metadata: { name: 'web-1' },
  ...members,
});

const context = { features: createFeatures(), timeZones: createTimeZones() };

describe('ControllerRevision', () => {
  it.each([
    ['an object', { data: raw('{"spec":1}'), revision: 1 }, []],
    ['no data, which the schema reports', { revision: 1 }, []],
    ['an array', { data: raw('[1]') }, [['data', 'FieldValueRequired']]],
    ['a string', { data: raw('"x"') }, [['data', 'FieldValueRequired']]],
    ['null', { data: raw('null') }, [['data', 'FieldValueRequired']]],
    ['a negative revision', { data: raw('{}'), revision: -1 }, [['revision', 'FieldValueInvalid']]],
    ['a very negative revision', { data: raw('{}'), revision: -9007199254740993n }, [['revision', 'FieldValueInvalid']]],
    [
      'two faults',
      { data: raw('5'), revision: -1 },
      [
        ['data', 'FieldValueRequired'],
        ['revision', 'FieldValueInvalid'],
      ],
    ],
  ])('judges creation with %s', (_what, members, causes) => {
    const found = strategy.validateCreate?.(revision(members), context) ?? [];
    expect(found.map(({ field, reason }) => [field, reason])).toEqual(causes);
  });

  it('refuses a change of data', () => {
    const stored = revision({ data: raw('{"n":9007199254740993}'), revision: 1 });
    expect(strategy.validateUpdate?.(revision({ data: raw('{"n":9007199254740992}'), revision: 1 }), stored, context)).toEqual([
      { field: 'data', reason: 'FieldValueInvalid', message: 'Invalid value: "object": field is immutable' },
    ]);
    expect(strategy.validateUpdate?.(revision({ revision: 1 }), stored, context)).toHaveLength(1);
  });

  it('lets revision and metadata change', () => {
    const stored = revision({ data: raw('{"a":1}'), revision: 1 });
    expect(strategy.validateUpdate?.(revision({ data: raw('{"a":1}'), revision: 2 }), stored, context)).toEqual([]);
  });
});
