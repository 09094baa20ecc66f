import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFeatures, type FeatureName } from '../../../../apimachinery/features/features.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import { dropDisabledFields } from './disabled-fields.ts';

const GATES: readonly FeatureName[] = ['ClusterTrustBundleProjection', 'ContainerStopSignals', 'GenericWorkload', 'PodCertificateRequest'];

const cronJob = (pods: JsonObject) => ({
  spec: {
    schedule: '@daily',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }], ...pods } } } },
  },
});
const projected = (...sources: readonly JsonObject[]) => ({ volumes: [{ name: 'v', projected: { sources, defaultMode: 420 } }] });
const containers = (lifecycle: JsonObject) => ({ os: { name: 'linux' }, containers: [{ name: 'a', image: 'b', lifecycle }] });
const token = { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } };
const bundle = { clusterTrustBundle: { name: 'roots', path: 'roots.pem' } };
const certificate = { podCertificate: { signerName: 'example.com/s', keyType: 'ED25519', credentialBundlePath: 'bundle.pem' } };
const preStop = { sleep: { seconds: 3 } };

const podsOf = (object: JsonObject | undefined): unknown => {
  const { spec } = object as { spec: { jobTemplate: { spec: { template: { spec: unknown } } } } };
  return spec.jobTemplate.spec.template.spec;
};

const rows: readonly (readonly [field: string, sent: JsonObject, kept: JsonObject])[] = [
  ['clusterTrustBundle', projected(bundle, token), projected({}, token)],
  ['podCertificate', projected(certificate, token), projected({}, token)],
  ['schedulingGroup', { schedulingGroup: { podGroupName: 'g' } }, {}],
  ['stopSignal', containers({ stopSignal: 'SIGTERM', preStop }), containers({ preStop })],
  [
    'stopSignal of an init container',
    {
      os: { name: 'linux' },
      initContainers: [{ name: 'i', image: 'b', restartPolicy: 'Always', lifecycle: { stopSignal: 'SIGTERM', preStop } }],
    },
    { initContainers: [{ name: 'i', image: 'b', restartPolicy: 'Always', lifecycle: { preStop } }] },
  ],
];

describe('fields of features that are off', () => {
  let off: Rules;
  let on: Rules;
  beforeAll(async () => {
    off = await openRules();
    on = await openRules({ features: createFeatures(new Map(GATES.map((name) => [name, true]))) });
  });
  afterAll(() => Promise.all([off.close(), on.close()]));

  it.each(rows)('are left out of what is stored: %s', async (_, sent, kept) => {
    const { causes, object } = await off.create('CronJob', cronJob(sent));
    expect(causes).toEqual([]);
    expect(podsOf(object)).toMatchObject(kept);
    expect(JSON.stringify(podsOf(object))).not.toMatch(/clusterTrustBundle|podCertificate|schedulingGroup|stopSignal/);
  });

  it.each(rows)('are kept when the features are on: %s', async (_, sent) => {
    const { causes, object } = await on.create('CronJob', cronJob(sent));
    expect(causes).toEqual([]);
    expect(podsOf(object)).toMatchObject(sent);
  });

  it('take a lifecycle that says nothing else with them', async () => {
    const { object } = await off.create('CronJob', cronJob(containers({ stopSignal: 'SIGTERM' })));
    expect(JSON.stringify(podsOf(object))).not.toContain('lifecycle');
  });

  it('are not checked', async () => {
    const { causes } = await off.create(
      'CronJob',
      cronJob({ ...projected({ podCertificate: {} }), schedulingGroup: { podGroupName: '-' } }),
    );
    expect(causes).toEqual([]);
  });

  it('leave a source of files with nothing in it, which is warned of', async () => {
    const { warnings } = await off.create('CronJob', cronJob(projected(bundle, token)));
    expect(warnings).toEqual(['volume "v" (Projected) has no sources provided']);
  });

  it('do not move generation when they are all that was sent', async () => {
    const { object } = await off.update('CronJob', cronJob({}), cronJob({ schedulingGroup: { podGroupName: 'g' } }));
    expect(object).toMatchObject({ metadata: { generation: 1 } });
  });

  it.each(rows)('stay where they are stored already: %s', (_, sent) => {
    const context = { features: createFeatures(), timeZones: createTimeZones() };
    const object = { kind: 'CronJob' as const, apiVersion: 'batch/v1', ...cronJob(sent) };
    expect(dropDisabledFields(object, object, context)).toBe(object);
  });
});
