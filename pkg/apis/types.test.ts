import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { CronJob, CronJobSpec } from './batch/v1/cronjobs/types.gen.ts';
import type { ObjectMeta } from './meta/v1/types.gen.ts';
import type { VolumeAttachment } from './storage/v1/volumeattachments/types.gen.ts';

// Mostly checked by the compiler: an unused `@ts-expect-error` is an error.
describe('generated types', () => {
  it('hold whole structures and are JSON objects', () => {
    const cronJob: CronJob = {
      metadata: { name: 'nightly', managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: {} }] },
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: {
          spec: {
            selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] },
            template: {
              spec: { containers: [{ name: 'main', resources: { limits: { cpu: '1' } }, livenessProbe: { httpGet: { port: 'http' } } }] },
            },
          },
        },
      },
    };
    const attachment: VolumeAttachment = {
      spec: { attacher: 'csi.example.com', nodeName: 'a', source: { inlineVolumeSpec: { csi: { driver: 'd', volumeHandle: 'h' } } } },
    };
    const objects: readonly JsonObject[] = [cronJob, attachment];
    expect(objects).toHaveLength(2);
  });

  it('refuse unknown fields, absent required ones, words outside closed lists and undefined', () => {
    // @ts-expect-error -- jobTemplate is required
    const incomplete: CronJobSpec = { schedule: '@daily' };
    // @ts-expect-error -- the list is closed
    const policy: CronJobSpec['concurrencyPolicy'] = 'Perhaps';
    // @ts-expect-error -- no such field
    const misspelled: ObjectMeta = { nam: 'x' };
    // @ts-expect-error -- absent is not undefined
    const absent: ObjectMeta = { name: undefined };
    expect([incomplete, policy, misspelled, absent]).toHaveLength(4);
  });
});
