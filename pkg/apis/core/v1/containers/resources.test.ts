import { describe, expect, it } from '@jest/globals';
import { shortCauses } from '../../../../../test/support/pod-causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { ResourceClaim, ResourceRequirements } from '../types.gen.ts';
import { validateResourceRequirements } from './resources.ts';

const at = FieldPath.of('r');
const causesOf = (requirements: Unchecked<ResourceRequirements> | undefined) =>
  shortCauses(validateResourceRequirements(requirements, at, new Set(['gpu', 'fpga'])));
const LONG_NAME = `example.com/${'a'.repeat(63)}`;
/** With the prefix `requests.` it is too long for a domain. */
const LONG_DOMAIN = `${'a.'.repeat(122)}a/b`;

describe('Resources', () => {
  it.each<[Unchecked<ResourceRequirements> | undefined]>([
    [undefined],
    [{}],
    [{ limits: {}, requests: {}, claims: [] }],
    [{ limits: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '0' }, requests: { cpu: '1', memory: '512Mi' } }],
    [{ requests: { cpu: '100m' } }],
    [{ limits: { cpu: '1', [LONG_NAME]: '2' }, requests: { [LONG_NAME]: '2' } }],
    [{ limits: { 'hugepages-2Mi': '4Mi', 'hugepages-1Gi': '0' }, requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } }],
    [{ limits: { 'kubernetes.io/any': '1500m' }, requests: { 'kubernetes.io/any': '1' } }],
  ])('may be %j', (requirements) => {
    expect(causesOf(requirements)).toEqual([]);
  });

  it.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ cpu: '-1' }, ['Invalid r.limits[cpu]']],
    [{ 'a b': '1' }, ['Invalid r.limits[a b]', 'Invalid r.limits[a b]']],
    [{ gpu: '1' }, ['Invalid r.limits[gpu]', 'Invalid r.limits[gpu]']],
    [{ storage: '1500m' }, ['Invalid r.limits[storage]']],
    [{ pods: '1500m' }, ['Invalid r.limits[pods]', 'Invalid r.limits[pods]']],
    [{ 'requests.hugepages-2Mi': '1' }, ['Invalid r.limits[requests.hugepages-2Mi]']],
    [{ 'example.com/gpu': '1500m' }, ['Invalid r.limits[example.com/gpu]']],
    [{ 'example.com/gpu': '-1' }, ['Invalid r.limits[example.com/gpu]']],
    [{ 'requests.example.com/gpu': '1' }, ['Invalid r.limits[requests.example.com/gpu]']],
    [{ [LONG_DOMAIN]: '1' }, [`Invalid r.limits[${LONG_DOMAIN}]`]],
    [{ '/x': '1' }, ['Invalid r.limits[/x]', 'Invalid r.limits[/x]']],
    [{ cpu: '1', 'hugepages-2Mi': '3Mi' }, ['Invalid r.limits[hugepages-2Mi]']],
    [{ cpu: '1', 'hugepages-': '1' }, ['Invalid r.limits[hugepages-]', 'Invalid r.limits[hugepages-]']],
    [{ cpu: '1', 'hugepages-0': '0' }, ['Invalid r.limits[hugepages-0]']],
    [{ 'hugepages-2Mi': '2Mi' }, ['Forbidden r']],
  ])('limited to %j have causes %j', (limits, causes) => {
    expect(causesOf({ limits })).toEqual(causes);
  });

  it.each<[Unchecked<ResourceRequirements>, readonly string[]]>([
    [{ limits: { cpu: '1' }, requests: { cpu: '1001m' } }, ['Invalid r.requests']],
    [{ limits: { cpu: '1' }, requests: { cpu: '1000m' } }, []],
    [{ limits: { memory: '1Gi' }, requests: { memory: '1025Mi' } }, ['Invalid r.requests']],
    [{ limits: { 'example.com/gpu': '2' }, requests: { 'example.com/gpu': '1' } }, ['Invalid r.requests']],
    [{ limits: { 'example.com/gpu': '2' }, requests: { 'example.com/gpu': '3' } }, ['Invalid r.requests']],
    [{ requests: { 'example.com/gpu': '1' } }, ['Required r.limits']],
    [{ requests: { cpu: '1', 'hugepages-2Mi': '2Mi' } }, ['Required r.limits']],
    [{ limits: {}, requests: { memory: '1', constructor: '1' } }, ['Invalid r.requests[constructor]', 'Invalid r.requests[constructor]']],
    [
      { requests: { memory: '-1', 'hugepages-2Mi': '1Mi' } },
      ['Invalid r.requests[memory]', 'Invalid r.requests[hugepages-2Mi]', 'Required r.limits'],
    ],
  ])('%j have causes %j', (requirements, causes) => {
    expect(causesOf(requirements)).toEqual(causes);
  });

  it.each<[readonly Unchecked<ResourceClaim>[], readonly string[]]>([
    [[{ name: 'gpu' }, { name: 'fpga', request: 'a' }, { name: 'fpga', request: 'b' }], []],
    [[{}], ['Required r.claims[0]']],
    [[{ name: 'other' }], ['NotFound r.claims[0]']],
    [[{ name: 'gpu' }, { name: 'gpu' }], ['Duplicate r.claims[1]']],
    [[{ name: 'gpu' }, { name: 'gpu', request: 'a' }], ['Duplicate r.claims[1]']],
    [[{ name: 'gpu', request: 'a' }, { name: 'gpu' }], ['Duplicate r.claims[1]']],
    [
      [
        { name: 'gpu', request: 'a' },
        { name: 'gpu', request: 'a' },
      ],
      ['Duplicate r.claims[1]'],
    ],
    [[{ name: 'gpu', request: 'A' }], ['Invalid r.claims[0].request']],
  ])('that claim %j have causes %j', (claims, causes) => {
    expect(causesOf({ claims })).toEqual(causes);
  });

  it('are explained', () => {
    const requirements = { limits: { cpu: '1' }, requests: { cpu: '2', 'example.com/gpu': '1500m' } };
    expect(validateResourceRequirements(requirements, at, new Set()).map(({ message }) => message)).toEqual([
      'Invalid value: "1500m": must be an integer',
      'Invalid value: "2": must be less than or equal to cpu limit of 1',
      'Required value: Limit must be set for non overcommitable resources',
    ]);
  });

  it('of a pod as a whole are fewer', () => {
    const causes = (name: string) =>
      shortCauses(validateResourceRequirements({ limits: { cpu: '1', [name]: '2Mi' } }, at, new Set(), 'pod'));
    expect(['cpu', 'memory', 'hugepages-2Mi'].flatMap(causes)).toEqual([]);
    expect(causes('ephemeral-storage')).toEqual(['NotSupported r.limits[ephemeral-storage]']);
    expect(causes('example.com/gpu')).toEqual(['NotSupported r.limits[example.com/gpu]']);
    expect(causes('gpu')).toEqual(['Invalid r.limits[gpu]']);
  });
});
