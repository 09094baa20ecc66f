import { describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const event = (members: JsonObject): KubernetesObject => ({
  ...members,
  kind: 'Event',
  apiVersion: 'events.example.org/v1',
  metadata: { name: 'web.1' },
});

const selectable = (name: string, members: JsonObject) => strategy.selectableFields?.[name]?.(event(members));

describe('Event', () => {
  it('can be selected by what it is about, why and from where', () => {
    expect(Object.keys(strategy.selectableFields ?? {}).sort()).toEqual([
      'reason',
      'regarding.apiVersion',
      'regarding.fieldPath',
      'regarding.kind',
      'regarding.name',
      'regarding.namespace',
      'regarding.resourceVersion',
      'regarding.uid',
      'reportingController',
      'source',
      'type',
    ]);
  });

  it('reads each field from its place, and nothing as the empty string', () => {
    expect(selectable('regarding.name', { regarding: { name: 'web' } })).toBe('web');
    expect(selectable('type', { type: 'Warning' })).toBe('Warning');
    expect(selectable('regarding.uid', {})).toBe('');
  });

  it.each([
    [{ deprecatedSource: { component: 'kubelet' }, reportingController: 'other' }, 'kubelet'],
    [{ deprecatedSource: { component: '' }, reportingController: 'other' }, 'other'],
    [{ reportingController: 'other' }, 'other'],
    [{}, ''],
  ])('finds the source of %j', (members, source) => {
    expect(selectable('source', members)).toBe(source);
  });

  it('may keep what was stored before it was checked', () => {
    const context = { features: createFeatures(), timeZones: createTimeZones() };
    const odd = { ...event({ series: { count: 1 } }), metadata: { name: 'web.1', namespace: 'default' } };
    expect(strategy.validateUpdate?.(odd, odd, context)).toEqual([]);
    expect(strategy.validateUpdate?.({ ...odd, series: { count: 0 } }, odd, context)).toHaveLength(2);
  });
});
