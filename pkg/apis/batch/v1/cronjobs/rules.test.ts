import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';

const template = (pod: JsonObject = {}): JsonObject => ({
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/work:1.0' }], ...pod },
});
/** A body with these fields in the spec, the Job, and the pod. */
const cronJob = (spec: JsonObject, job: JsonObject = {}, pod: JsonObject = {}): JsonObject => ({
  spec: { schedule: '@daily', jobTemplate: { spec: { template: template(pod), ...job } }, ...spec },
});
const ofSpec = (spec: JsonObject) => cronJob(spec);
const ofJob = (job: JsonObject, pod: JsonObject = {}) => cronJob({}, job, pod);
const named = (metadata: JsonObject): JsonObject => ({ ...cronJob({}), metadata });

const J = 'spec.jobTemplate.spec';
const P = `${J}.template.spec`;
/** Prefixes `spec.`, and expands `J.` and `P.` to the paths of the Job and its pod. */
const inFull = (causes: string) =>
  causes === '' ? [] : causes.split(', ').map((cause) => cause.replace(' J.', ` ${J}.`).replace(' P.', ` ${P}.`));

const indexed = { completionMode: 'Indexed', completions: 5 };
const failing = (...rules: readonly JsonObject[]): JsonObject => ({ podFailurePolicy: { rules } });
const exits = (onExitCodes: JsonObject): JsonObject => failing({ action: 'Ignore', onExitCodes });
const succeeding = (...rules: readonly JsonObject[]): JsonObject => ({ ...indexed, successPolicy: { rules } });
const condition = { type: 'DisruptionTarget' };
const times = <T>(count: number, item: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => item(index));

describe('A CronJob', () => {
  let folder = '';
  let rules: Rules;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'zones-'));
    mkdirSync(path.join(folder, 'Europe'));
    for (const name of ['UTC', 'Europe/Rome', 'Twelve_Twelve']) writeFileSync(path.join(folder, name), 'TZif2');
    rules = await openRules({ timeZones: createTimeZones({ folders: [folder] }) });
  });
  afterAll(async () => {
    await rules.close();
    rmSync(folder, { recursive: true });
  });
  const causesOf = async (body: JsonObject) => (await rules.create('CronJob', body)).causes;

  describe.each<[string, JsonObject]>([
    ['without anything', {}],
    ['without a spec', { spec: {} }],
    ['without a job', { spec: { jobTemplate: {} } }],
    ['without a template', { spec: { jobTemplate: { spec: {} } } }],
    ['without a pod', { spec: { jobTemplate: { spec: { template: {} } } } }],
  ])('%s', (_, body) => {
    it('lacks a schedule, containers and a restart policy', async () => {
      const lacking = inFull('Required spec.schedule, Required P.containers, Required P.restartPolicy');
      expect(new Set(await causesOf(body))).toEqual(new Set(lacking));
    });
  });

  it.each<[string, JsonObject, string]>([
    ['schedule', { schedule: '' }, 'Required spec.schedule'],
    ['schedule', { schedule: 'daily' }, 'Invalid spec.schedule'],
    ['schedule', { schedule: '60 * * * *' }, 'Invalid spec.schedule'],
    ['schedule', { schedule: 'CRON_TZ=Europe/Rome @daily' }, 'Invalid spec.schedule'],
    ['schedule', { schedule: 'TZ=Europe/Rome @daily', timeZone: 'UTC' }, 'Invalid spec.schedule'],
    ['schedule', { schedule: 'TZ=Moon @daily' }, 'Invalid spec.schedule, Invalid spec.schedule'],
    ['schedule', { schedule: '0 0 * * TZ' }, 'Invalid spec.schedule, Invalid spec.schedule'],
    ['startingDeadlineSeconds', { startingDeadlineSeconds: -1 }, 'Invalid spec.startingDeadlineSeconds'],
    ['startingDeadlineSeconds', { startingDeadlineSeconds: 0 }, ''],
    ['timeZone', { timeZone: '' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Europe/Rome' }, ''],
    ['timeZone', { timeZone: 'Twelve_Twelve' }, ''],
    ['timeZone', { timeZone: 'europe/rome' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Europe' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Europe/' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: '../Europe/Rome' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Europe/-Rome' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Fifteen_Letters' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'Local' }, 'Invalid spec.timeZone'],
    ['timeZone', { timeZone: 'local' }, 'Invalid spec.timeZone, Invalid spec.timeZone'],
    ['concurrencyPolicy', { concurrencyPolicy: 'Never' }, 'NotSupported spec.concurrencyPolicy'],
    ['concurrencyPolicy', { concurrencyPolicy: '' }, ''],
    ['successfulJobsHistoryLimit', { successfulJobsHistoryLimit: -1 }, 'Invalid spec.successfulJobsHistoryLimit'],
    ['failedJobsHistoryLimit', { failedJobsHistoryLimit: -1 }, 'Invalid spec.failedJobsHistoryLimit'],
  ])('checks %s: %j', async (_, spec, causes) => expect(await causesOf(ofSpec(spec))).toEqual(inFull(causes)));

  it.each<[JsonObject, string]>([
    [{ selector: {} }, 'Invalid J.selector'],
    [{ manualSelector: true }, 'NotSupported J.manualSelector'],
    [{ manualSelector: false }, ''],
    [{ parallelism: -1 }, 'Invalid J.parallelism'],
    [{ completions: -1 }, 'Invalid J.completions'],
    [{ activeDeadlineSeconds: -1 }, 'Invalid J.activeDeadlineSeconds'],
    [{ backoffLimit: -1 }, 'Invalid J.backoffLimit'],
    [{ ttlSecondsAfterFinished: -1 }, 'Invalid J.ttlSecondsAfterFinished'],
    [{ ...indexed, backoffLimitPerIndex: -1 }, 'Invalid J.backoffLimitPerIndex'],
    [{ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: -1 }, 'Invalid J.maxFailedIndexes'],
    [{ ...indexed, maxFailedIndexes: 1 }, 'Required J.backoffLimitPerIndex'],
    [{ backoffLimitPerIndex: 1 }, 'Invalid J.backoffLimitPerIndex'],
    [{ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }, 'Invalid J.backoffLimitPerIndex, Invalid J.maxFailedIndexes'],
    [{ completionMode: 'NonIndexed', backoffLimitPerIndex: 1 }, 'Invalid J.backoffLimitPerIndex'],
    [{ managedBy: '' }, 'Required J.managedBy'],
    [{ managedBy: 'example.com/controller_1' }, ''],
    [{ managedBy: 'example.com' }, 'Invalid J.managedBy'],
    [{ managedBy: '/controller' }, 'Invalid J.managedBy'],
    [{ managedBy: 'example.com/' }, 'Invalid J.managedBy'],
    [{ managedBy: 'Example/a b' }, 'Invalid J.managedBy, Invalid J.managedBy'],
    [{ managedBy: `example.com/${'a'.repeat(51)}` }, ''],
    [{ managedBy: `example.com/${'a'.repeat(52)}` }, 'TooLong J.managedBy'],
    [{ completionMode: 'Random' }, 'NotSupported J.completionMode'],
    [{ completionMode: '', backoffLimitPerIndex: 1 }, 'NotSupported J.completionMode'],
    [{ completionMode: 'Indexed' }, 'Required J.completions'],
    [{ ...indexed, parallelism: 100_000 }, ''],
    [{ ...indexed, parallelism: 100_001 }, 'Invalid J.parallelism'],
    [{ parallelism: 100_001 }, ''],
    [{ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 5 }, ''],
    [{ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 }, 'Invalid J.maxFailedIndexes'],
    [{ completionMode: 'Indexed', completions: 100_000, backoffLimitPerIndex: 1, parallelism: 10_001 }, ''],
    [{ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }, ''],
    [{ completionMode: 'Indexed', completions: 100_001, backoffLimitPerIndex: 1 }, 'Required J.maxFailedIndexes'],
    [
      { completionMode: 'Indexed', completions: 100_001, backoffLimitPerIndex: 1, parallelism: 10_001, maxFailedIndexes: 10_001 },
      'Invalid J.parallelism, Invalid J.maxFailedIndexes',
    ],
    [
      { completionMode: 'Indexed', completions: 100_001, backoffLimitPerIndex: 1, maxFailedIndexes: 100_001 },
      'Invalid J.maxFailedIndexes, Invalid J.maxFailedIndexes',
    ],
    [{ podReplacementPolicy: 'TerminatingOrFailed' }, ''],
    [{ podReplacementPolicy: 'Failed' }, ''],
    [{ podReplacementPolicy: 'Soon' }, 'NotSupported J.podReplacementPolicy'],
    [{ podReplacementPolicy: '' }, 'NotSupported J.podReplacementPolicy'],
    [{ ...failing(), podReplacementPolicy: 'Failed' }, ''],
    [{ ...failing(), podReplacementPolicy: 'TerminatingOrFailed' }, 'NotSupported J.podReplacementPolicy'],
  ])('checks the Job %j', async (job, causes) => expect(await causesOf(ofJob(job))).toEqual(inFull(causes)));

  it.each<[JsonObject, JsonObject, string]>([
    [{}, { restartPolicy: 'OnFailure' }, ''],
    [{}, { restartPolicy: '' }, 'Required P.restartPolicy'],
    [{}, { restartPolicy: 'Always' }, 'Required P.restartPolicy'],
    [failing(), { restartPolicy: 'OnFailure' }, 'Invalid P.restartPolicy'],
    [failing(), { restartPolicy: 'Always' }, 'Required P.restartPolicy'],
    [{}, { restartPolicy: 'Sometimes' }, 'NotSupported P.restartPolicy, NotSupported P.restartPolicy'],
  ])('of the Job %j checks the pod %j', async (job, pod, causes) => expect(await causesOf(ofJob(job, pod))).toEqual(inFull(causes)));

  const R = 'J.podFailurePolicy.rules';
  const V = `${R}[0].onExitCodes.values`;
  const C = `${R}[0].onPodConditions`;
  it.each<[JsonObject, string]>([
    [{ podFailurePolicy: {} }, ''],
    [failing(), ''],
    [failing(...times(20, () => ({ action: 'Count', onPodConditions: [condition] }))), ''],
    [failing(...times(21, () => ({ action: 'Count', onPodConditions: [condition] }))), `TooMany ${R}`],
    [failing({}), `Required ${R}[0].action, Invalid ${R}[0]`],
    [failing({ action: 'Wait', onPodConditions: [condition] }), `NotSupported ${R}[0].action`],
    [failing({ action: 'FailIndex', onPodConditions: [condition] }), `Invalid ${R}[0].action`],
    [{ ...indexed, backoffLimitPerIndex: 1, ...failing({ action: 'FailIndex', onPodConditions: [condition] }) }, ''],
    [failing({ action: 'FailJob', onPodConditions: [] }), `Invalid ${R}[0]`],
    [failing({ action: 'FailJob', onPodConditions: [condition], onExitCodes: { operator: 'In', values: [1] } }), `Invalid ${R}[0]`],
    [exits({ operator: 'In', values: [1, 2, 300] }), ''],
    [exits({ operator: 'NotIn', values: [0] }), ''],
    [exits({}), `Required ${R}[0].onExitCodes.operator, Invalid ${V}`],
    [exits({ operator: 'Near', values: [1] }), `NotSupported ${R}[0].onExitCodes.operator`],
    [exits({ operator: 'In', values: [1], containerName: 'main' }), ''],
    [exits({ operator: 'In', values: [1], containerName: 'other' }), `Invalid ${R}[0].onExitCodes.containerName`],
    [exits({ operator: 'In', values: [1], containerName: '' }), `Invalid ${R}[0].onExitCodes.containerName`],
    [exits({ operator: 'In', values: times(255, (index) => index + 1) }), ''],
    [exits({ operator: 'In', values: times(256, (index) => index + 1) }), `TooMany ${V}`],
    [exits({ operator: 'In', values: [0] }), `Invalid ${V}[0]`],
    [exits({ operator: 'In', values: [0, 0] }), `Invalid ${V}[0], Invalid ${V}[1], Duplicate ${V}[1]`],
    [exits({ operator: 'NotIn', values: [1, 1] }), `Duplicate ${V}[1]`],
    [exits({ operator: 'NotIn', values: [2, 1] }), `Invalid ${V}`],
    [failing({ action: 'Count', onPodConditions: times(20, () => condition) }), ''],
    [failing({ action: 'Count', onPodConditions: times(21, () => condition) }), `TooMany ${C}`],
    [failing({ action: 'Count', onPodConditions: [{}] }), `Invalid ${C}[0].type, Invalid ${C}[0].type`],
    [failing({ action: 'Count', onPodConditions: [{ type: 'a b', status: 'True' }] }), `Invalid ${C}[0].type`],
    [failing({ action: 'Count', onPodConditions: [{ type: 'A', status: 'Maybe' }] }), `NotSupported ${C}[0].status`],
  ])('checks the failure policy %j', async (job, causes) => expect(await causesOf(ofJob(job))).toEqual(inFull(causes)));

  it('knows init containers of a failure policy', async () => {
    const pod = { initContainers: [{ name: 'first', image: 'example.com/first:1' }] };
    expect(await causesOf(ofJob(exits({ operator: 'In', values: [1], containerName: 'first' }), pod))).toEqual([]);
  });

  const S = 'J.successPolicy.rules';
  it.each<[JsonObject, string]>([
    [{ successPolicy: { rules: [{}] } }, 'Invalid J.successPolicy'],
    [{ ...indexed, successPolicy: {} }, `Required ${S}`],
    [succeeding(), `Required ${S}`],
    [succeeding(...times(20, () => ({ succeededCount: 1 }))), ''],
    [succeeding(...times(21, () => ({ succeededCount: 1 }))), `TooMany ${S}`],
    [succeeding({}), `Required ${S}[0]`],
    [succeeding({ succeededIndexes: '' }), ''],
    [succeeding({ succeededIndexes: '', succeededCount: 1 }), `Invalid ${S}[0].succeededCount`],
    [succeeding({ succeededIndexes: '0,2-4', succeededCount: 4 }), ''],
    [succeeding({ succeededIndexes: '+0,002-4' }), ''],
    [succeeding({ succeededIndexes: '0,2-4', succeededCount: 5 }), `Invalid ${S}[0].succeededCount`],
    [succeeding({ succeededCount: -1 }), `Invalid ${S}[0].succeededCount`],
    [succeeding({ succeededCount: 6 }), `Invalid ${S}[0].succeededCount`],
    [succeeding({ succeededIndexes: '5' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '1-5' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '2-2' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '3-1' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '1,1' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '0-2,2' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '1-2-3' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '-1' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: '1,' }), `Invalid ${S}[0].succeededIndexes`],
    [succeeding({ succeededIndexes: 'one', succeededCount: 1 }), `Invalid ${S}[0].succeededIndexes, Invalid ${S}[0].succeededCount`],
    [{ ...succeeding({ succeededIndexes: '7', succeededCount: 1 }), completions: null }, 'Required J.completions'],
  ])('checks the success policy %j', async (job, causes) => expect(await causesOf(ofJob(job))).toEqual(inFull(causes)));

  it('has at most 65536 characters of indexes', async () => {
    const text = '0'.repeat(65_536);
    expect(await causesOf(ofJob(succeeding({ succeededIndexes: text })))).toEqual([]);
    expect(await causesOf(ofJob(succeeding({ succeededIndexes: `${text}0` })))).toEqual(inFull(`TooLong ${S}[0].succeededIndexes`));
  });

  it('does not check the metadata of its Jobs', async () => {
    const jobTemplate = { metadata: { name: 'No Name', labels: { 'a b': 'c d' } }, spec: { template: template() } };
    expect(await causesOf(ofSpec({ jobTemplate }))).toEqual([]);
  });

  it('with everything set is taken', async () => {
    const body = cronJob(
      { schedule: '15 2 * * MON-FRI', timeZone: 'Europe/Rome', startingDeadlineSeconds: 300, concurrencyPolicy: 'Replace' },
      {
        completionMode: 'Indexed',
        completions: 8,
        parallelism: 4,
        backoffLimit: 6,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
        activeDeadlineSeconds: 600,
        ttlSecondsAfterFinished: 60,
        managedBy: 'example.com/queue',
        podReplacementPolicy: 'Failed',
        podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { containerName: 'main', operator: 'In', values: [3, 4] } }] },
        successPolicy: { rules: [{ succeededIndexes: '0-5', succeededCount: 3 }] },
      },
    );
    const { causes, warnings } = await rules.create('CronJob', body);
    expect([causes, warnings]).toEqual([[], []]);
  });

  describe('name', () => {
    it('has at most 52 characters when it is new', async () => {
      expect(await causesOf(named({ name: 'a'.repeat(52) }))).toEqual([]);
      expect(await causesOf(named({ name: 'a'.repeat(53) }))).toEqual(['Invalid metadata.name']);
    });

    it('has so when it is generated', async () => {
      expect(await causesOf(named({ name: '', generateName: 'a'.repeat(47) }))).toEqual([]);
      expect(await causesOf(named({ name: '', generateName: 'b'.repeat(48) }))).toEqual(['Invalid metadata.name']);
    });

    it('that is no label is warned of', async () => {
      const { warnings } = await rules.create('CronJob', named({ name: 'nightly.report' }));
      expect(warnings).toEqual([
        'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; ' +
          'a DNS label is recommended: [must not contain dots]',
      ]);
    });
  });

  it('with many indexes at once is warned of, on an update only when the spec changes', async () => {
    const many = ofJob({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 });
    const warning = expect.stringMatching(/^spec\.jobTemplate\.spec: /);
    const created = await rules.create('CronJob', many);
    expect(created.warnings).toEqual([warning]);
    const warningsOf = async (after: JsonObject) => (await rules.update('CronJob', many, after)).warnings;
    expect(await warningsOf({ ...many, metadata: { labels: { a: 'b' } } })).toEqual([]);
    expect(await warningsOf({ spec: { ...(many['spec'] as JsonObject), suspend: true } })).toEqual([warning]);
    expect(
      (await rules.create('CronJob', ofJob({ completionMode: 'Indexed', completions: 100_000, parallelism: 10_001 }))).warnings,
    ).toEqual([]);
  });
});
