import { describe, expect, it } from '@jest/globals';
import { causesOfPod, container } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSpec } from '../types.gen.ts';

type Amounts = Readonly<Record<string, string>>;
const requesting = (name: string, requests: Amounts) => container({ name, resources: { requests } });
const limited = (name: string, limits: Amounts) => container({ name, resources: { limits } });
const sidecar = (name: string, requests: Amounts) => ({ ...requesting(name, requests), restartPolicy: 'Always' });
const ofPod = (requests: Amounts) => ({ resources: { requests } });

const table = (rows: readonly (readonly [string, Unchecked<PodSpec>, readonly string[]])[]) =>
  it.each(rows.map((row) => [...row] as [string, Unchecked<PodSpec>, readonly string[]]))('%s', (_, fields, causes) => {
    expect(causesOfPod(fields)).toEqual(causes);
  });

describe("A pod's own resources", () => {
  const two = [requesting('a', { cpu: '500m' }), requesting('b', { cpu: '1' })];
  table([
    ['may be more than the containers need', { ...ofPod({ cpu: '1500m' }), containers: two }, []],
    ['are no less than the containers need', { ...ofPod({ cpu: '1499m' }), containers: two }, ['Invalid s.resources.requests[cpu]']],
    ['leave out what they do not name', { ...ofPod({ memory: '1Mi' }), containers: two }, []],
    ['are known', ofPod({ 'ephemeral-storage': '1Gi' }), ['NotSupported s.resources.requests[ephemeral-storage]']],
    ['are not negative', { resources: { limits: { cpu: '-1' } } }, ['Invalid s.resources.limits[cpu]']],
    ['have requests within limits', { resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }, ['Invalid s.resources.requests']],
    ['claim nothing', { resources: { claims: [] } }, ['Forbidden s.resources.claims']],
    ['are not for Windows', { os: { name: 'windows' }, ...ofPod({ cpu: '-1' }) }, ['Forbidden s.resources']],
    [
      'suffice for the largest init container',
      { ...ofPod({ cpu: '3' }), initContainers: [requesting('i', { cpu: '3' }), requesting('j', { cpu: '3001m' })] },
      ['Invalid s.resources.requests[cpu]'],
    ],
    [
      'suffice for an init container beside the sidecars before it',
      {
        ...ofPod({ cpu: '3' }),
        initContainers: [requesting('h', { cpu: '3' }), sidecar('i', { cpu: '1' }), requesting('j', { cpu: '2001m' })],
      },
      ['Invalid s.resources.requests[cpu]'],
    ],
    [
      'suffice for the containers beside the sidecars',
      { ...ofPod({ cpu: '2' }), initContainers: [sidecar('i', { cpu: '1' })], containers: two },
      ['Invalid s.resources.requests[cpu]'],
    ],
    [
      'are no less than the limit of each container',
      { resources: { limits: { cpu: '1' } }, containers: [limited('a', { cpu: '1', memory: '1Gi' }), limited('b', { cpu: '2' })] },
      ['Invalid s.resources.containers[1][cpu].limits'],
    ],
    [
      'are no less than all huge pages',
      {
        resources: { limits: { cpu: '2', 'hugepages-2Mi': '4Mi' } },
        containers: [limited('a', { cpu: '2', 'hugepages-2Mi': '4Mi' }), limited('b', { cpu: '2', 'hugepages-2Mi': '2Mi' })],
      },
      ['Invalid s.resources.limits[hugepages-2Mi]'],
    ],
  ]);
});

describe('The overhead of a pod', () => {
  table([
    ['is right', { overhead: { cpu: '250m', memory: '120Mi' } }, []],
    ['is of known names', { overhead: { gpu: '1' } }, ['Invalid s.overhead.limits[gpu]', 'Invalid s.overhead.limits[gpu]']],
    ['is not negative', { overhead: { cpu: '-1' } }, ['Invalid s.overhead.limits[cpu]']],
  ]);
});

it('Totals of many containers and names are made in one pass', () => {
  const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`example.com/r${index}`, '1']));
  const started = performance.now();
  causesOfPod({
    ...ofPod({ cpu: '1' }),
    initContainers: [
      sidecar('kept', names),
      ...Array.from({ length: 10_000 }, (_, index) => requesting(`i${index}`, { cpu: '1' })),
      ...Array.from({ length: 5_000 }, (_, index) => sidecar(`s${index}`, { cpu: '1m' })),
    ],
  });
  expect(performance.now() - started).toBeLessThan(5_000);
});
