import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import { kindSample } from '../../../../../test/support/kind-samples.ts';
import { validateUpdate } from './rules.ts';
import { createStrategy } from './strategy.ts';

const KIND = 'Job';
const UID = 'batch.kubernetes.io/controller-uid';
const NAME = 'batch.kubernetes.io/job-name';

const pods = (members: JsonObject = {}): JsonObject => ({
  restartPolicy: 'Never',
  containers: [{ name: 'main', image: 'example.com/work:1.0' }],
  ...members,
});
/** With these fields in the spec, and labels on the pods. */
const job = (spec: JsonObject = {}, labels?: JsonObject): JsonObject => ({
  spec: { template: { ...(labels === undefined ? {} : { metadata: { labels } }), spec: pods() }, ...spec },
});
/** Chooses its selector, so that an update can send the same object. */
const manual = (spec: JsonObject = {}, labels: JsonObject = { app: 'a' }): JsonObject =>
  job({ manualSelector: true, selector: { matchLabels: { app: 'a' } }, ...spec }, labels);
const named = (name: string, spec: JsonObject = {}): JsonObject => ({ ...job(spec), metadata: { name } });
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 5 };
const LABELS = 'spec.template.metadata.labels';

interface Generated {
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels: JsonObject; readonly generation: number };
  readonly spec: { readonly selector: JsonObject; readonly template: { readonly metadata: { readonly labels: JsonObject } } };
}

describe('A Job', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());
  const causesOf = async (body: JsonObject) => (await rules.create(KIND, body)).causes;
  const created = async (body: JsonObject): Promise<Generated> => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    return object as unknown as Generated;
  };

  it.each<[string, JsonObject]>([
    ['without anything', {}],
    ['without a template', { spec: {} }],
    ['without a pod', { spec: { template: {} } }],
  ])('%s lacks containers and a restart policy', async (_, body) => {
    expect(new Set(await causesOf(body))).toEqual(
      new Set(['Required spec.template.spec.containers', 'Required spec.template.spec.restartPolicy']),
    );
  });

  describe('selector', () => {
    const generatedLabels = ({ metadata: { name, uid } }: Generated) => ({
      [UID]: uid,
      [NAME]: name,
      'controller-uid': uid,
      'job-name': name,
    });

    it('is made from the uid, and so are labels of the pods and of the Job', async () => {
      const object = await created(job());
      const labels = generatedLabels(object);
      expect(object).toMatchObject({ metadata: { labels }, spec: { selector: { matchLabels: { [UID]: object.metadata.uid } } } });
      expect(object.spec.template.metadata.labels).toEqual(labels);
    });

    it('is made for a generated name', async () => {
      const object = await created({ ...job(), metadata: { name: '', generateName: 'many-' } });
      expect(object.metadata.name).toMatch(/^many-.{5}$/);
      expect(object.spec.template.metadata.labels[NAME]).toBe(object.metadata.name);
    });

    it('has labels of the pods that the Job shares, where they have any', async () => {
      const { metadata, spec } = await created(job({}, { app: 'a' }));
      expect(metadata.labels).toEqual({ app: 'a', ...spec.template.metadata.labels });
    });

    it('leaves labels that were sent', async () => {
      const object = await created({ ...job({}, { app: 'a' }), metadata: { labels: { own: 'b' } } });
      expect(object.spec.template.metadata.labels).toEqual({ ...generatedLabels(object), app: 'a' });
      expect(object.metadata.labels).toEqual({ own: 'b' });
    });

    it('is not made when it is chosen', async () => {
      const object = await created(manual());
      expect(object.spec).toMatchObject({ selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } } } });
      expect(object.metadata.labels).toEqual({ app: 'a' });
    });

    it.each<[string, JsonObject, readonly string[]]>([
      ['a name', { [NAME]: 'other' }, [`Invalid ${LABELS}[${NAME}]`]],
      ['an old name', { 'job-name': '' }, [`Invalid ${LABELS}[job-name]`]],
      ['an old uid', { 'controller-uid': 'other' }, [`Invalid ${LABELS}[controller-uid]`]],
      ['a uid', { [UID]: 'other' }, [`Invalid ${LABELS}[${UID}]`, `Invalid ${LABELS}`]],
    ])('agrees with the labels of the pods: %s', async (_, labels, causes) => expect(await causesOf(job({}, labels))).toEqual(causes));

    it.each<[JsonObject, JsonObject, readonly string[]]>([
      [{ matchLabels: { app: 'a' } }, { app: 'a' }, ['Invalid spec.selector']],
      [{ matchLabels: { [UID]: 'other' } }, {}, ['Invalid spec.selector', `Invalid ${LABELS}`]],
      [{ matchExpressions: [{ key: NAME, operator: 'Exists' }] }, {}, []],
      [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, {}, []],
      [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, { app: 'a' }, [`Invalid ${LABELS}`]],
      [{ matchExpressions: [{ key: 'app', operator: 'Near' }] }, {}, ['Invalid spec.selector.matchExpressions[0].operator']],
    ])('is checked with what is added to it: %j for %j', async (selector, labels, causes) => {
      expect(await causesOf(job({ selector }, labels))).toEqual(causes);
    });

    it.each<[JsonObject, JsonObject, readonly string[]]>([
      [{}, { app: 'a' }, ['Required spec.selector', `Invalid ${LABELS}`]],
      [{ selector: {} }, {}, []],
      [{ selector: { matchLabels: { app: 'b' } } }, { app: 'a' }, [`Invalid ${LABELS}`]],
      [{ selector: { matchLabels: { app: 'a' } } }, { app: 'a', [UID]: 'any', 'job-name': 'any' }, []],
    ])('that is chosen selects the pods: %j for %j', async (spec, labels, causes) => {
      expect(await causesOf(job({ manualSelector: true, ...spec }, labels))).toEqual(causes);
    });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a'.repeat(63), {}, []],
    ['a'.repeat(61), { ...indexed, completions: 10 }, []],
    ['a'.repeat(61), { ...indexed, completions: 11 }, ['Invalid metadata.name']],
    ['b'.repeat(63), { ...indexed, completions: 0 }, []],
    ['a.b', indexed, ['Invalid metadata.name']],
    ['b'.repeat(64), {}, ['Invalid spec.template.labels', 'Invalid spec.template.labels']],
  ])('named %s with %j is a host name with the highest index', async (name, spec, causes) => {
    expect(await causesOf(named(name, spec))).toEqual(causes);
  });

  it('says which host name it could not make', async () => {
    const { messages } = await rules.create(KIND, named('a.b', indexed));
    expect(messages).toEqual({ 'metadata.name': 'Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-4' });
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ parallelism: -1 }, ['Invalid spec.parallelism']],
    [{ completionMode: 'Indexed', parallelism: 1 }, ['Required spec.completions']],
    [{ completionMode: 'Random' }, ['NotSupported spec.completionMode']],
    [{ ...indexed, successPolicy: { rules: [] } }, ['Required spec.successPolicy.rules']],
    [{ podFailurePolicy: { rules: [{}] } }, ['Required spec.podFailurePolicy.rules[0].action', 'Invalid spec.podFailurePolicy.rules[0]']],
    [{ podReplacementPolicy: '' }, ['NotSupported spec.podReplacementPolicy']],
    [{ managedBy: 'nobody' }, ['Invalid spec.managedBy']],
    [{ template: { spec: pods({ restartPolicy: 'Always' }) } }, ['Required spec.template.spec.restartPolicy']],
  ])('has the rules of the spec of a Job: %j', async (spec, causes) => expect(await causesOf(job(spec))).toEqual(causes));

  it('with everything set is taken', async () => {
    const { metadata, spec } = kindSample(KIND, 'realistic');
    const { causes, warnings } = await rules.create(KIND, { metadata: { labels: metadata['labels'] ?? {} }, spec: spec ?? {} });
    expect([causes, warnings]).toEqual([[], []]);
  });

  it('named with dots is warned of, and so are many indexes at once', async () => {
    const { warnings } = await rules.create(KIND, named('daily.report'));
    expect(warnings).toEqual([
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
    const many = manual({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 });
    expect((await rules.create(KIND, many)).warnings).toEqual([expect.stringMatching(/^spec: In Indexed Jobs /)]);
    expect((await rules.update(KIND, many, { ...many, metadata: { labels: { a: 'b' } } })).warnings).toEqual([]);
    expect((await rules.update(KIND, many, { spec: { ...(many['spec'] as JsonObject), suspend: true } })).warnings).toHaveLength(1);
  });

  describe('update', () => {
    const update = async (before: JsonObject, after: JsonObject) => (await rules.update(KIND, manual(before), manual(after))).causes;

    it.each<[JsonObject, JsonObject, readonly string[]]>([
      [{}, { parallelism: 3, completions: 1 }, []],
      [{}, { activeDeadlineSeconds: 5, backoffLimit: 1, ttlSecondsAfterFinished: 0, suspend: true, podReplacementPolicy: 'Failed' }, []],
      [indexed, { ...indexed, backoffLimitPerIndex: 1 }, ['Invalid spec.backoffLimitPerIndex']],
      [{ ...indexed, backoffLimitPerIndex: 1 }, { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 1 }, []],
      [{ completions: 1 }, { completions: 2 }, ['Invalid spec.completions']],
      [{ completions: 1 }, { parallelism: 1 }, ['Invalid spec.completions']],
      [indexed, { ...indexed, completions: 6, parallelism: 6 }, []],
      [indexed, { ...indexed, completions: 6, parallelism: 5 }, ['Invalid spec.completions']],
      [indexed, { completions: 5, parallelism: 5 }, ['Invalid spec.completionMode']],
      [{}, { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }, ['Invalid spec.selector']],
      [{}, { selector: { matchLabels: { app: 'a' }, matchExpressions: [] } }, []],
      [{}, { podFailurePolicy: {} }, ['Invalid spec.podFailurePolicy']],
      [{ podFailurePolicy: {} }, { podFailurePolicy: { rules: [] } }, []],
      [indexed, { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } }, ['Invalid spec.successPolicy']],
      [{}, { managedBy: 'example.com/a' }, ['Invalid spec.managedBy']],
      [{ managedBy: 'example.com/a' }, { managedBy: 'example.com/b' }, ['Invalid spec.managedBy']],
      [{}, { parallelism: -1, completions: 1 }, ['Invalid spec.parallelism']],
    ])('of %j to %j', async (before, after, causes) => expect(await update(before, after)).toEqual(causes));

    it('checks generateName, too', async () => {
      const { causes } = await rules.update(KIND, manual(), { ...manual(), metadata: { generateName: 'A b' } });
      expect(causes).toEqual(['Invalid metadata.generateName']);
      expect((await rules.update(KIND, manual(), { ...manual(), metadata: { generateName: 'a-' } })).causes).toEqual([]);
    });

    it('needs the generated labels where the selector is generated', async () => {
      const { causes } = await rules.update(KIND, manual(), manual({ manualSelector: false }));
      expect(causes).toEqual([`Required ${LABELS}[controller-uid]`, `Required ${LABELS}[job-name]`, 'Invalid spec.selector']);
    });

    it('needs those with a prefix only if they were there before', () => {
      const strategy = createStrategy();
      const stored = (labels: JsonObject) => {
        const spec = { selector: { matchLabels: { 'controller-uid': 'u' } } };
        const sent = { kind: KIND, apiVersion: 'batch/v1', ...job(spec, labels), metadata: { name: 'a', uid: 'u' } };
        return strategy.applyDefaults?.(sent) ?? sent;
      };
      const context = { features: createFeatures(), timeZones: { isKnown: () => true } };
      const fieldsOf = (object: ReturnType<typeof stored>) => strategy.validateUpdate?.(object, object, context).map(({ field }) => field);
      const old = { 'controller-uid': 'u', 'job-name': 'a' };
      expect(fieldsOf(stored(old))).toEqual([]);
      expect(fieldsOf(stored({ ...old, [UID]: 'u', [NAME]: 'b' }))).toEqual([`${LABELS}[${NAME}]`]);
    });

    it('counts generations of the spec, not those of metadata or status', async () => {
      const after = async (object: JsonObject) => ((await rules.update(KIND, manual(), object)).object as unknown as Generated).metadata;
      expect(await after(manual({ suspend: true }))).toMatchObject({ generation: 2 });
      expect(await after({ ...manual(), metadata: { labels: { b: 'c' } }, status: { active: 1 } })).toMatchObject({ generation: 1 });
    });
  });

  describe('template', () => {
    const other = { a: 'b' };
    const changes = {
      labels: [{ app: 'a', ...other }, {}, {}],
      annotations: [undefined, {}, other],
      nodeSelector: [undefined, { nodeSelector: other }, {}],
      tolerations: [undefined, { tolerations: [{ operator: 'Exists' }] }, {}],
      'node affinity': [undefined, { affinity: { nodeAffinity: {} } }, {}],
      'scheduling gates': [undefined, { schedulingGates: [{ name: 'example.com/a' }] }, {}],
      resources: [undefined, { containers: [{ name: 'main', image: 'example.com/work:1.0', resources: { limits: { cpu: '1' } } }] }, {}],
      'pod affinity': [undefined, { affinity: { podAffinity: {} } }, {}],
      image: [undefined, { containers: [{ name: 'main', image: 'example.com/work:2.0' }] }, {}],
      'name of a container': [
        undefined,
        { containers: [{ name: 'other', image: 'example.com/work:1.0', resources: { limits: { cpu: '1' } } }] },
        {},
      ],
      'number of containers': [
        undefined,
        { containers: [...['main', 'more'].map((name) => ({ name, image: 'example.com/work:1.0' }))] },
        {},
      ],
    } as const;
    type Change = keyof typeof changes;
    const RESOURCES: readonly Change[] = ['resources'];
    const SCHEDULING: readonly Change[] = ['labels', 'annotations', 'nodeSelector', 'tolerations', 'node affinity', 'scheduling gates'];
    const ALL = Object.keys(changes) as readonly Change[];

    const changed = (change: Change, spec: JsonObject): JsonObject => {
      const [labels, podFields, annotations] = changes[change];
      const template = { metadata: { labels: labels ?? { app: 'a' }, annotations }, spec: pods(podFields) };
      return manual({ ...spec, template });
    };
    /** The changes that are taken of a Job with this spec and status. */
    const mayChange = (spec: JsonObject, status: JsonObject, features = createFeatures()) => {
      const strategy = createStrategy();
      const complete = (object: JsonObject) => {
        const whole = { kind: KIND, apiVersion: 'batch/v1', ...object, metadata: { name: 'a' }, status };
        return strategy.applyDefaults?.(whole) ?? whole;
      };
      const stored = complete(manual(spec));
      return ALL.filter(
        (change) => validateUpdate(complete(changed(change, spec)), stored, { features, timeZones: { isKnown: () => true } }).length === 0,
      );
    };
    const off = (...names: readonly ('MutablePodResourcesForSuspendedJobs' | 'MutableSchedulingDirectivesForSuspendedJobs')[]) =>
      createFeatures(new Map(names.map((name) => [name, false])));
    const suspended = { conditions: [{ type: 'Suspended', status: 'True' }] };
    const started = { startTime: '2026-03-14T15:09:26Z' };

    it.each<[string, JsonObject, JsonObject, readonly Change[]]>([
      ['runs', { suspend: false }, {}, []],
      ['was suspended, but runs', { suspend: false }, suspended, []],
      ['waits', { suspend: true }, {}, [...SCHEDULING, ...RESOURCES]],
      ['was stopped', { suspend: true }, { ...started, ...suspended }, [...SCHEDULING, ...RESOURCES]],
      ['is being stopped', { suspend: true }, started, []],
      ['still has pods', { suspend: true }, { ...suspended, active: 1 }, []],
    ])('of a Job that %s', (_, spec, status, expected) => expect(mayChange(spec, status)).toEqual(expected));

    it('is held by the feature gates', () => {
      const waits = { suspend: true };
      expect(mayChange(waits, {}, off('MutablePodResourcesForSuspendedJobs'))).toEqual(SCHEDULING);
      // Metadata is not compared where resources may change, as in Kubernetes.
      expect(mayChange(waits, { ...started, ...suspended }, off('MutableSchedulingDirectivesForSuspendedJobs'))).toEqual([
        'labels',
        'annotations',
        ...RESOURCES,
      ]);
      expect(mayChange(waits, {}, off('MutableSchedulingDirectivesForSuspendedJobs', 'MutablePodResourcesForSuspendedJobs'))).toEqual(
        SCHEDULING,
      );
      expect(mayChange(waits, started, off('MutableSchedulingDirectivesForSuspendedJobs', 'MutablePodResourcesForSuspendedJobs'))).toEqual(
        [],
      );
    });

    it('names what may not change', async () => {
      const causesOfChange = async (suspend: boolean) =>
        (await rules.update(KIND, manual({ suspend }), changed('image', { suspend }))).causes;
      expect(await causesOfChange(false)).toEqual(['Invalid spec.template']);
      expect(await causesOfChange(true)).toEqual(['Invalid spec.template.spec']);
    });

    it('may lose and get an affinity that is about nodes only', async () => {
      const withAffinity = (affinity: JsonObject | undefined) =>
        manual({ suspend: true, template: { metadata: { labels: { app: 'a' } }, spec: pods(affinity === undefined ? {} : { affinity }) } });
      const causesOfChange = async (before: JsonObject | undefined, after: JsonObject | undefined) =>
        (await rules.update(KIND, withAffinity(before), withAffinity(after))).causes;
      expect(await causesOfChange({ nodeAffinity: {} }, undefined)).toEqual([]);
      expect(await causesOfChange(undefined, {})).toEqual([]);
      expect(await causesOfChange({ podAffinity: {}, nodeAffinity: {} }, { podAffinity: {} })).toEqual([]);
      expect(await causesOfChange({ podAffinity: {}, nodeAffinity: {} }, undefined)).toEqual(['Invalid spec.template.spec']);
    });
  });
});
