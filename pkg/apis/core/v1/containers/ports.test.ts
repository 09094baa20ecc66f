import { describe, expect, it } from '@jest/globals';
import { containerCauses, podCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { ContainerPort } from '../types.gen.ts';

const port = (port: Unchecked<ContainerPort>): Unchecked<ContainerPort> => ({ containerPort: 80, protocol: 'TCP', ...port });
const onHost = (hostPort: number, more: Unchecked<ContainerPort> = {}) => port({ hostPort, ...more });
const container = (name: string, ...ports: readonly Unchecked<ContainerPort>[]) => ({ name, image: 'a', ports });

describe('Ports of a container', () => {
  it.each<[Unchecked<ContainerPort>, readonly string[]]>([
    [{}, []],
    [{ name: 'web-1', containerPort: 65535, hostPort: 65535, hostIP: '10.0.0.1', protocol: 'SCTP' }, []],
    [{ containerPort: 0 }, ['Required containerPort']],
    [{ containerPort: -1 }, ['Invalid containerPort']],
    [{ containerPort: 65536 }, ['Invalid containerPort']],
    [{ hostPort: 0 }, []],
    [{ hostPort: 65536 }, ['Invalid hostPort']],
    [{ hostPort: -1 }, ['Invalid hostPort']],
    [{ protocol: 'tcp' }, ['NotSupported protocol']],
    [{ name: 'Web' }, ['Invalid name']],
    [{ name: '80' }, ['Invalid name']],
    [{ name: 'a--b' }, ['Invalid name']],
    [{ name: 'a-' }, ['Invalid name']],
    [{ name: 'abcdefghijklmnop' }, ['Invalid name']],
  ])('%j has causes %j', (one, causes) => {
    expect(containerCauses({ ports: [port(one)] })).toEqual(causes.map((cause) => cause.replace(' ', ' ports[0].')));
  });

  it('have each name once in a container', () => {
    expect(containerCauses({ ports: [port({ name: 'a' }), port({ name: 'a' }), port({}), port({})] })).toEqual(['Duplicate ports[1].name']);
    expect(podCauses({ containers: [container('a', port({ name: 'a' })), container('b', port({ name: 'a' }))] })).toEqual([]);
  });
});

describe('A port of the node', () => {
  it('is taken once by protocol and address among the containers', () => {
    const others = [onHost(80, { protocol: 'UDP' }), onHost(80, { hostIP: '10.0.0.1' }), onHost(81)];
    expect(podCauses({ containers: [container('a', onHost(80)), container('b', ...others, onHost(80))] })).toEqual([
      'Duplicate spec.containers[1].ports[3].hostPort',
    ]);
  });

  it('is taken once in each init container', () => {
    const initContainers = [container('i', onHost(80)), container('j', onHost(80), onHost(80))];
    expect(podCauses({ containers: [container('a', onHost(80))], initContainers })).toEqual([
      'Duplicate spec.initContainers[0].ports[1].hostPort',
    ]);
  });

  it("is the container's own in the node's network", () => {
    const ports = [port({}), onHost(80), onHost(81)];
    expect(podCauses({ hostNetwork: true, containers: [container('a', ...ports)] })).toEqual([
      'Invalid spec.containers[0].ports[2].hostPort',
    ]);
    expect(podCauses({ hostNetwork: false, containers: [container('a', ...ports)] })).toEqual([]);
  });
});
