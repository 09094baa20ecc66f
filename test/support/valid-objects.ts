/**
 * Random objects of each kind that the server must take, without names, as JSON that may hold tokens (`json-token.ts`).
 */
import fc from 'fast-check';
import { token } from './json-token.ts';
import { kindCase } from './kinds.ts';

type Members = Record<string, unknown>;
type Body = fc.Arbitrary<Members>;

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const count = fc.nat({ max: 10 });
const quantity = fc.constantFrom<unknown>('1', '0.5', '500m', '1000m', '1e3', '1.5Gi', '2Ki', '100M', 3, token('0.25'));
const labels = fc.dictionary(
  fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,20}[A-Za-z0-9])?$/),
  fc.stringMatching(/^([A-Za-z0-9]{0,10})$/),
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
);
const int64 = fc.constantFrom<unknown>(0, 1, 300, token('9007199254740993'), token('9223372036854775807'));
const microTime = fc.constantFrom('2026-11-20T10:11:12.123456Z', '2026-11-20T12:11:12.000001+02:00');

/** Any of the members of `optional` beside all of `always`. */
const some = (always: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>> = {}): Body =>
  fc.record({ ...always, ...optional }, { requiredKeys: Object.keys(always), noNullPrototype: true });

const metadata = some(
  {},
  {
    labels,
    annotations: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/), fc.string({ unit: 'grapheme' }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    finalizers: fc.constant(['example.com/hold']),
    ownerReferences: fc.constant([{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'owner', uid: 'u-1', controller: true }]),
    generation: count,
    creationTimestamp: fc.constantFrom(null, '2020-01-01T00:00:00Z'),
    selfLink: fc.constant('/old'),
  },
);

const selector = fc.oneof(
  fc.constantFrom({}, null),
  labels.map((matchLabels) => ({ matchLabels })),
  fc
    .array(
      fc.oneof(
        fc.record({ key: word, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(word, { minLength: 1, maxLength: 3 }) }),
        fc.record({ key: word, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      ),
      { maxLength: 3 },
    )
    .map((matchExpressions) => ({ matchExpressions })),
);

const probe = some(
  {
    httpGet: some(
      { port: fc.constantFrom<unknown>(8080, 'web') },
      { path: fc.constant('/healthz'), scheme: fc.constantFrom('HTTP', 'HTTPS') },
    ),
  },
  { periodSeconds: count, timeoutSeconds: count, failureThreshold: count },
);

const container = some(
  { image: fc.constantFrom('busybox', 'busybox:1.36', 'registry.example.com:5000/a/b@sha256:' + 'a'.repeat(64), 'x:latest') },
  {
    command: fc.array(fc.string(), { maxLength: 3 }),
    imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent', 'Never'),
    env: fc.uniqueArray(some({ name: fc.stringMatching(/^[A-Z_]{1,6}$/) }, { value: fc.string() }), {
      maxLength: 3,
      selector: ({ name }) => name,
    }),
    ports: fc.constant([{ name: 'web', containerPort: 8080 }]),
    resources: fc.record({ limits: fc.record({ cpu: quantity, memory: fc.constantFrom('1Gi', '1.5Gi', 1024) }) }),
    livenessProbe: probe,
    readinessProbe: probe,
    volumeMounts: fc.constant([{ name: 'scratch', mountPath: '/scratch' }]),
    securityContext: some({}, { runAsUser: count, runAsNonRoot: fc.boolean(), readOnlyRootFilesystem: fc.boolean() }),
    stdin: fc.boolean(),
    tty: fc.boolean(),
  },
);

const volumes = fc
  .subarray([
    { name: 'config', configMap: { name: 'settings', items: [{ key: 'a', path: 'a/b' }] } },
    { name: 'secret', secret: { secretName: 'keys', defaultMode: 256 } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'disk' } },
    { name: 'host', hostPath: { path: '/var/log' } },
    { name: 'nothing' },
    { name: 'both', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
  ])
  .map((more) => [{ name: 'scratch', emptyDir: { sizeLimit: '1Gi' } }, ...more]);

const podSpec = some(
  {
    restartPolicy: fc.constantFrom('Never', 'OnFailure'),
    containers: fc
      .array(container, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((each, index) => ({ name: `c-${index}`, ...each }))),
    volumes,
  },
  {
    nodeSelector: labels,
    tolerations: fc.constant([
      { key: 'dedicated', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
      { operator: 'Exists' },
    ]),
    dnsPolicy: fc.constantFrom('ClusterFirst', 'Default'),
    terminationGracePeriodSeconds: int64,
    serviceAccountName: word,
    hostNetwork: fc.boolean(),
    activeDeadlineSeconds: fc.integer({ min: 1, max: 100 }),
    securityContext: some({}, { fsGroup: count, runAsGroup: count, supplementalGroups: fc.array(count, { maxLength: 3 }) }),
    overhead: fc.record({ cpu: quantity }),
  },
);

const jobSpec = some(
  { template: some({ spec: podSpec }, { metadata: fc.record({ labels }) }) },
  {
    backoffLimit: count,
    parallelism: count,
    completions: count,
    ttlSecondsAfterFinished: count,
    activeDeadlineSeconds: int64,
    suspend: fc.boolean(),
  },
);

const cronJob = fc.record({
  spec: some(
    {
      schedule: fc.constantFrom('*/5 * * * *', '@hourly', '@every 1h30m', '0 0 1,15 * MON-FRI', '? 1-5/2 * JAN *'),
      jobTemplate: some({ spec: jobSpec }, { metadata: fc.record({ labels }) }),
    },
    {
      timeZone: fc.constantFrom('Etc/UTC', 'Europe/Rome'),
      concurrencyPolicy: fc.constantFrom('Allow', 'Forbid', 'Replace', ''),
      suspend: fc.boolean(),
      startingDeadlineSeconds: int64,
      successfulJobsHistoryLimit: count,
      failedJobsHistoryLimit: count,
    },
  ),
});

const job = fc.record({ spec: jobSpec });

const share = fc.constantFrom<unknown>(0, 1, 2147483647, '0%', '50%', '100%', '007%');
const budget = some(
  {},
  {
    spec: fc.oneof(
      ...[{}, { minAvailable: share }, { maxUnavailable: share }].map((one) =>
        some(one, { selector, unhealthyPodEvictionPolicy: fc.constantFrom('IfHealthyBudget', 'AlwaysAllow') }),
      ),
    ),
    status: fc.record({ disruptionsAllowed: count }),
  },
);

const attachment = fc.record({
  spec: fc.record({
    attacher: fc.constantFrom('csi.example.com', 'CSI.Example.com'),
    nodeName: word,
    source: fc.oneof(
      fc.record({ persistentVolumeName: word }),
      fc.constant({ inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'csi.example.com', volumeHandle: 'h' } } }),
    ),
  }),
});

const revision = some(
  {
    data: fc.dictionary(
      fc.string(),
      fc.oneof(fc.jsonValue(), fc.constantFrom(token('1.0'), token('-0'), token('1e2'), token('12345678901234567890'))),
      { noNullPrototype: true },
    ),
  },
  { revision: int64 },
);

const event = some(
  {
    eventTime: microTime,
    reportingController: fc.constant('example.com/controller'),
    reportingInstance: word,
    action: fc.constant('Do'),
    reason: fc.constant('Done'),
    type: fc.constantFrom('Normal', 'Warning'),
  },
  {
    note: fc.string({ unit: 'grapheme-ascii', maxLength: 1000 }),
    series: fc.record({ count: fc.integer({ min: 2, max: 9 }), lastObservedTime: microTime }),
    regarding: fc.record({ kind: fc.constant('CronJob'), name: word, namespace: fc.constant('default') }),
    related: fc.record({ kind: fc.constant('Job'), name: word, fieldPath: fc.constant('spec.containers{a}') }),
  },
);

const key = fc.stringMatching(/^[A-Za-z0-9_][-A-Za-z0-9_.]{0,20}$/);
const texts = fc.dictionary(key, fc.string({ unit: 'grapheme' }), { maxKeys: 4, noNullPrototype: true });
const bytes = fc.dictionary(
  key,
  fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array).toString('base64')),
  { maxKeys: 4, noNullPrototype: true },
);
const prefixed = (map: fc.Arbitrary<Members>, prefix: string): fc.Arbitrary<Members> =>
  map.map((members) => Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}${name}`, value])));

const configMap = some({}, { data: prefixed(texts, 't'), binaryData: prefixed(bytes, 'b'), immutable: fc.constant(false) });
const secret = some(
  {},
  { data: bytes, stringData: texts, type: fc.constantFrom('Opaque', '', 'example.com/any', 'bootstrap.kubernetes.io/token') },
);
const names = fc.uniqueArray(word, { maxLength: 3 }).map((all) => all.map((name) => ({ name })));
const account = some({}, { secrets: names, imagePullSecrets: names, automountServiceAccountToken: fc.boolean() });
const lease = some(
  {},
  {
    spec: some(
      {},
      {
        holderIdentity: fc.string(),
        leaseDurationSeconds: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        acquireTime: microTime,
        renewTime: microTime,
        leaseTransitions: count,
      },
    ),
  },
);

/** A kind that is not here has the object of its `testdata/case.json`. */
const BODIES: Readonly<Record<string, Body>> = {
  VolumeAttachment: attachment,
  ControllerRevision: revision,
  CronJob: cronJob,
  Job: job,
  PodDisruptionBudget: budget,
  Event: event,
  ConfigMap: configMap,
  Secret: secret,
  ServiceAccount: account,
  Lease: lease,
};

export interface ValidObject extends Members {
  readonly metadata: Members;
}

/** What is in `metadata` has no name and namespace yet; events need the namespace `default`. */
export function validObject(kind: string): fc.Arbitrary<ValidObject> {
  const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...body } = kindCase(kind).sample('valid', 'default');
  return fc.tuple(BODIES[kind] ?? fc.constant(body), metadata).map(([members, meta]) => ({ ...members, metadata: meta }));
}
