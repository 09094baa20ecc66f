import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { MemoryBackend } from '../../../../../test/registry/memory-backend.ts';
import { decode, openTestRegistry, parse, reread, storeOf, write } from '../../../../../test/registry/test-registry.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { createStrategy } from './strategy.ts';

const cronJob = (spec?: JsonObject): KubernetesObject => ({
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  metadata: { name: 'nightly' },
  ...(spec === undefined ? {} : { spec }),
});
const strategy = createStrategy();
const defaulted = (spec?: JsonObject) => strategy.applyDefaults?.(cronJob(spec));

const EMPTY_POD = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const ofJob = (job: JsonObject) => ({
  schedule: '@daily',
  concurrencyPolicy: 'Allow',
  suspend: false,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
  jobTemplate: { spec: { template: { spec: EMPTY_POD }, ...job } },
});

const sample = (name: string) => JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8')) as KubernetesObject;

describe('CronJob', () => {
  it.each([
    ['nothing but the schedule', { schedule: '@daily' }],
    ['empty texts', { schedule: '@daily', concurrencyPolicy: '' }],
    ['no Job', { schedule: '@daily', jobTemplate: {} }],
    ['no template', { schedule: '@daily', jobTemplate: { spec: {} } }],
    ['no pod', { schedule: '@daily', jobTemplate: { spec: { template: {} } } }],
  ])('gets its defaults down to the pod when it has %s', (_, spec) => {
    expect(defaulted(spec)).toEqual(cronJob(ofJob({})));
  });

  it('gets them even without a spec', () => {
    const { schedule, ...spec } = ofJob({});
    expect(schedule).toBe('@daily');
    expect(defaulted()).toEqual(cronJob(spec));
  });

  it('leaves the numbers of the Job to each Job', () => {
    expect(defaulted({ schedule: '@daily', jobTemplate: { spec: { completions: 0 } } })).toEqual(cronJob(ofJob({ completions: 0 })));
  });

  it('takes the status of a condition for true when it is left out', () => {
    const policy = (...statuses: readonly (string | undefined)[]) => ({
      rules: [
        {
          action: 'Ignore',
          onPodConditions: statuses.map((status) => ({ type: 'DisruptionTarget', ...(status === undefined ? {} : { status }) })),
        },
        { action: 'Count' },
      ],
    });
    expect(defaulted({ schedule: '@daily', jobTemplate: { spec: { podFailurePolicy: policy(undefined, '', 'False') } } })).toEqual(
      cronJob(ofJob({ podFailurePolicy: policy('True', 'True', 'False') })),
    );
  });

  it('keeps what was sent, zeros too', () => {
    const sent = cronJob({
      concurrencyPolicy: 'Forbid',
      suspend: true,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
      jobTemplate: { spec: { template: { spec: { ...EMPTY_POD, terminationGracePeriodSeconds: 0, restartPolicy: 'Never' } } } },
    });
    expect(strategy.applyDefaults?.(sent)).toBe(sent);
  });

  it('is the same object when nothing is missing', () => {
    const once = strategy.applyDefaults?.(sample('realistic'));
    expect(once).toBeDefined();
    expect(once && strategy.applyDefaults?.(once)).toBe(once);
    const { serviceAccountName } = { serviceAccountName: 'reporter' };
    const template = { metadata: { labels: { app: 'report' } }, spec: { serviceAccountName, serviceAccount: serviceAccountName } };
    expect(once).toMatchObject({ spec: { jobTemplate: { spec: { template } } } });
  });

  it('is stored once: replacing it by what was read changes nothing', async () => {
    const registry = await openTestRegistry(new MemoryBackend());
    const store = storeOf(registry, 'CronJob');
    const pod = (more: JsonObject) => ({
      spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', ...more } } } } },
    });
    const container = { name: 'main', image: 'work' };
    const { kind, apiVersion, metadata, spec } = sample('realistic');
    expect([kind, apiVersion, metadata.name]).toEqual(['CronJob', 'batch/v1', 'nightly-report']);
    const bodies: readonly JsonObject[] = [
      { spec },
      pod({ containers: [container] }),
      pod({ containers: [{ ...container, imagePullPolicy: '', resources: {}, ports: [], env: [] }], volumes: [], serviceAccountName: '' }),
      pod({ containers: [container], volumes: [{ name: 'tmp' }], overhead: { cpu: '100n' }, initContainers: [] }),
    ];
    for (const [index, body] of bodies.entries()) {
      const name = `sample-${index}`;
      const created = await store.create('default', decode('CronJob', { ...body, metadata: { name } }), write);
      const replaced = await store.replace({ namespace: 'default', name }, reread(created.object), '', write);
      expect(parse(replaced.object)).toEqual(parse(created.object));
      expect(parse(replaced.object).metadata.resourceVersion).toBe(parse(created.object).metadata.resourceVersion);
    }
    await registry.close();
  });
});
