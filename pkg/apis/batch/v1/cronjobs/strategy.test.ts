import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const cronJob = (spec?: JsonObject): KubernetesObject => ({
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  metadata: { name: 'nightly' },
  ...(spec === undefined ? {} : { spec }),
});

describe('CronJob', () => {
  it('fills in what the spec leaves out', () => {
    expect(strategy.applyDefaults?.(cronJob({ schedule: '@daily', concurrencyPolicy: '' }))).toEqual(
      cronJob({
        schedule: '@daily',
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      }),
    );
  });

  it('keeps what was sent, zeros too', () => {
    const sent = cronJob({ concurrencyPolicy: 'Forbid', suspend: true, successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 });
    expect(strategy.applyDefaults?.(sent)).toEqual(sent);
  });

  it('without a spec stays without one', () => {
    expect(strategy.applyDefaults?.(cronJob())).toEqual(cronJob());
  });
});
