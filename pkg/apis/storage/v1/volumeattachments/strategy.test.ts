import { describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import type { JsonValue } from '../../../../apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const attachment = (spec: JsonValue, status: JsonValue = {}): KubernetesObject => ({
  kind: 'VolumeAttachment',
  apiVersion: 'storage.example.org/v1',
  metadata: { name: 'csi-1' },
  spec,
  status,
});
const stored = attachment({ attacher: 'csi.example.com', nodeName: 'a', source: { persistentVolumeName: 'pv-1' } });

const context = { features: createFeatures(), timeZones: createTimeZones() };

describe('VolumeAttachment', () => {
  it('refuses a change of spec', () => {
    const changed = attachment({ attacher: 'csi.example.com', nodeName: 'b', source: { persistentVolumeName: 'pv-1' } });
    expect(strategy.validateUpdate?.(changed, stored, context)).toEqual([
      { field: 'spec', reason: 'FieldValueInvalid', message: 'Invalid value: "object": field is immutable' },
    ]);
  });

  it('takes the same spec in another order of fields', () => {
    const same = attachment({ source: { persistentVolumeName: 'pv-1' }, nodeName: 'a', attacher: 'csi.example.com' }, { attached: true });
    expect(strategy.validateUpdate?.(same, stored, context)).toEqual([]);
  });

  it('is what deleting answers with', () => {
    expect(strategy.deleteReturnsObject).toBe(true);
  });
});
