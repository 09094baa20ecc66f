import { describe, expect, it } from '@jest/globals';
import { containerCauses, podCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, ContainerResizePolicy } from '../types.gen.ts';

const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
const init = (container: Unchecked<Container>) =>
  podCauses({ containers: [{ name: 'a', image: 'a' }], initContainers: [{ name: 'i', image: 'a', ...container }] }).map((cause) =>
    cause.replace('spec.initContainers[0].', ''),
  );

describe('The restart policy of a container', () => {
  it.each<[Unchecked<Container>, readonly string[]]>([
    [{ restartPolicy: 'Always' }, []],
    [{ restartPolicy: 'Never', restartPolicyRules: [rule, { ...rule, action: 'RestartAllContainers' }] }, []],
    [{ restartPolicy: 'OnFailure', restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn' } }] }, []],
    [{ restartPolicy: 'Sometimes' }, ['NotSupported restartPolicy']],
    [{ restartPolicy: '' }, ['NotSupported restartPolicy']],
    [{ restartPolicyRules: [rule] }, ['Required restartPolicy']],
    [{ restartPolicy: 'Never', restartPolicyRules: Array.from({ length: 21 }, () => rule) }, ['TooMany restartPolicyRules']],
    [
      { restartPolicy: 'Never', restartPolicyRules: [{}] },
      ['NotSupported restartPolicyRules[0].action', 'Required restartPolicyRules[0].exitCodes'],
    ],
    [
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { values: Array.from({ length: 256 }, () => 1) } }] },
      ['NotSupported restartPolicyRules[0].exitCodes.operator', 'TooMany restartPolicyRules[0].exitCodes.values'],
    ],
  ])('%j has causes %j, for an init container too', (container, causes) => {
    expect(containerCauses(container)).toEqual(causes);
    expect(init(container)).toEqual(causes);
  });
});

describe('The resize policy of a container', () => {
  const resize = (...resizePolicy: readonly Unchecked<ContainerResizePolicy>[]) => ({ resizePolicy });
  const cpu = { resourceName: 'cpu', restartPolicy: 'NotRequired' };
  const memory = { resourceName: 'memory', restartPolicy: 'RestartContainer' };

  it.each<[Unchecked<Container>, readonly string[]]>([
    [resize(cpu, memory), []],
    [resize(cpu, cpu), ['Duplicate resizePolicy[1]']],
    [resize({ ...cpu, resourceName: '' }), ['Required resizePolicy']],
    [resize({ ...cpu, resourceName: 'pods' }), ['NotSupported resizePolicy']],
    [resize({ ...cpu, restartPolicy: '' }), ['Required resizePolicy']],
    [resize({ ...cpu, restartPolicy: 'Always' }), ['NotSupported resizePolicy']],
  ])('%j has causes %j', (container, causes) => {
    expect(containerCauses(container)).toEqual(causes);
  });

  it('never restarts a container of a pod that is never restarted', () => {
    expect(containerCauses(resize(cpu, memory), { restartPolicy: 'Never' })).toEqual(['Invalid resizePolicy']);
    expect(containerCauses(resize(cpu, memory), { restartPolicy: 'OnFailure' })).toEqual([]);
  });

  it('restarts no init container but a sidecar', () => {
    expect(init(resize(cpu, memory))).toEqual(['Invalid resizePolicy[1].restartPolicy']);
    expect(init({ ...resize(cpu, memory), restartPolicy: 'Always' })).toEqual([]);
  });
});
