import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kindSample } from '../../../../../test/support/kind-samples.ts';
import { containerCauses, podCauses } from '../../../../../test/support/pod-causes.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, PodSpec } from '../types.gen.ts';

const named = (name: string, more: Unchecked<Container> = {}): Unchecked<Container> => ({ name, image: 'busybox', ...more });
const app = named('app');

/** Some of all fields, with defaults filled in. */
const FULL: Unchecked<PodSpec> = {
  restartPolicy: 'OnFailure',
  terminationGracePeriodSeconds: 30,
  resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
  volumes: [
    { name: 'work', emptyDir: {} },
    { name: 'settings', configMap: { name: 'settings' } },
    { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
  ],
  initContainers: [
    named('prepare', { command: ['sh', '-c', 'true'], volumeMounts: [{ name: 'work', mountPath: '/work' }] }),
    named('proxy', {
      restartPolicy: 'Always',
      ports: [{ name: 'proxy', containerPort: 15001, hostPort: 15001, protocol: 'TCP' }],
      startupProbe: { httpGet: { path: '/ready', port: 'proxy', scheme: 'HTTP' }, successThreshold: 1 },
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
    }),
  ],
  containers: [
    named('backup', {
      image: 'registry.example.com/backup:1.4',
      args: ['--all'],
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'FallbackToLogsOnError',
      imagePullPolicy: 'IfNotPresent',
      ports: [{ name: 'metrics', containerPort: 9090, protocol: 'TCP' }],
      env: [
        { name: 'LEVEL', value: 'info' },
        { name: 'POD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
        { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'backup', key: 'token' } } },
      ],
      envFrom: [{ configMapRef: { name: 'settings' } }, { prefix: 'DB_', secretRef: { name: 'db' } }],
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '512Mi' }, claims: [{ name: 'gpu' }] },
      resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
      volumeMounts: [
        { name: 'work', mountPath: '/work' },
        { name: 'settings', mountPath: '/etc/backup', readOnly: true, subPath: 'backup' },
      ],
      volumeDevices: [{ name: 'disk', devicePath: '/dev/backup' }],
      livenessProbe: { exec: { command: ['true'] }, initialDelaySeconds: 5, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1 },
      securityContext: {
        runAsUser: 1000,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      },
    }),
    named('report', { resources: {}, volumeMounts: [{ name: 'work', mountPath: '/work', readOnly: true }] }),
  ],
};

describe('The containers of a pod', () => {
  it('are right when they are full of right values', () => {
    expect(podCauses(FULL)).toEqual([]);
  });

  it.each<[Unchecked<PodSpec>, readonly string[]]>([
    [{}, ['Required spec.containers']],
    [{ containers: [] }, ['Required spec.containers']],
    [{ containers: [{}] }, ['Required spec.containers[0].name', 'Required spec.containers[0].image']],
    [{ containers: [named('A')] }, ['Invalid spec.containers[0].name']],
    [{ containers: [named('a.b')] }, ['Invalid spec.containers[0].name']],
    [{ containers: [app, named('other'), app] }, ['Duplicate spec.containers[2].name']],
    [{ containers: [app], initContainers: [app] }, ['Duplicate spec.initContainers[0].name']],
    [{ containers: [app], initContainers: [named('i'), named('i')] }, ['Duplicate spec.initContainers[1].name']],
    [
      { containers: [named(''), named('')] },
      ['Required spec.containers[0].name', 'Required spec.containers[1].name', 'Duplicate spec.containers[1].name'],
    ],
    [
      { containers: [app], initContainers: [named(''), named('')] },
      ['Required spec.initContainers[0].name', 'Required spec.initContainers[1].name'],
    ],
    [
      { containers: [named('')], initContainers: [named('')] },
      ['Required spec.containers[0].name', 'Required spec.initContainers[0].name', 'Duplicate spec.initContainers[0].name'],
    ],
    [{ containers: [app], initContainers: [{}] }, ['Required spec.initContainers[0].name', 'Required spec.initContainers[0].image']],
  ])('%j have causes %j', (spec, causes) => {
    expect(podCauses(spec)).toEqual(causes);
  });

  it.each<[Unchecked<Container>, readonly string[]]>([
    [{ image: ' ' }, []],
    [{ terminationMessagePolicy: 'Log' }, ['NotSupported terminationMessagePolicy']],
    [{ imagePullPolicy: 'Sometimes' }, ['NotSupported imagePullPolicy']],
    [{ resources: { claims: [{ name: 'gpu' }] } }, ['NotFound resources.claims[0]']],
    [{ volumeMounts: [{ name: 'v', mountPath: '/v' }] }, ['NotFound volumeMounts[0].name']],
  ])('with %j have causes %j', (container, causes) => {
    expect(containerCauses(container)).toEqual(causes);
  });

  it('that run before the others have no probes, unless they keep running', () => {
    const exec = { command: ['true'] };
    const running = { livenessProbe: { exec }, readinessProbe: { exec }, startupProbe: { exec }, lifecycle: { preStop: { exec } } };
    const initContainers = [
      named('i', running),
      named('j', { ...running, restartPolicy: 'Always' }),
      named('k', { ...running, restartPolicy: 'OnFailure' }),
    ];
    expect(podCauses({ containers: [app], initContainers })).toEqual(
      [0, 2].flatMap((index) =>
        ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => `Forbidden spec.initContainers[${index}].${field}`),
      ),
    );
  });

  it('that are wrong in more ways than anybody reads are named up to a bound', () => {
    const containers = Array.from({ length: 20_000 }, () => named('app', { image: '' }));
    expect(podCauses({ containers }).length).toBeLessThan(1_010);
  });
});

describe('The containers of a CronJob', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const withTemplate = (spec: object): JsonObject =>
    ({ spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec } } } } }) as JsonObject;

  it('are right after defaults were filled in', async () => {
    const exec = { command: ['true'] };
    const sparse = {
      restartPolicy: 'Never',
      volumes: [{ name: 'v' }],
      initContainers: [named('i', { restartPolicy: 'Always', readinessProbe: { tcpSocket: { port: 1 } } })],
      containers: [
        named('app', {
          ports: [{ containerPort: 80 }],
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          livenessProbe: { httpGet: { port: 80 } },
          startupProbe: { exec, successThreshold: 0 },
          lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { exec } },
        }),
      ],
    };
    for (const spec of [FULL, sparse]) expect((await rules.create('CronJob', withTemplate(spec))).causes).toEqual([]);
  });

  it('are right in a realistic one', async () => {
    const { spec = null } = kindSample('CronJob', 'realistic');
    const { causes } = await rules.create('CronJob', { spec });
    expect(causes).toEqual([]);
  });

  it('are named by their whole path, with what the schema refuses only once', async () => {
    const { causes } = await rules.create('CronJob', withTemplate({ restartPolicy: 'Never', containers: [{ imagePullPolicy: 'X' }] }));
    const at = 'spec.jobTemplate.spec.template.spec.containers[0]';
    expect(causes).toEqual([`Required ${at}.name`, `Required ${at}.image`, `NotSupported ${at}.imagePullPolicy`]);
  });
});
