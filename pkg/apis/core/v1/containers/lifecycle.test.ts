import { describe, expect, it } from '@jest/globals';
import { containerCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Lifecycle, PodSpec } from '../types.gen.ts';

const causesOf = (lifecycle: Unchecked<Lifecycle>, spec: Unchecked<PodSpec> = {}) =>
  containerCauses({ lifecycle }, { terminationGracePeriodSeconds: 30, ...spec });
const stopsBy = (stopSignal: string, spec: Unchecked<PodSpec> = {}) => causesOf({ stopSignal }, spec);

describe('The lifecycle of a container', () => {
  it.each<[Unchecked<Lifecycle>, readonly string[]]>([
    [{}, []],
    [{ postStart: { exec: { command: ['a'] } }, preStop: { sleep: { seconds: 30 } } }, []],
    [{ postStart: { httpGet: { path: '/', port: 'web', scheme: 'HTTP' } }, preStop: { sleep: { seconds: 0 } } }, []],
    [{ postStart: { tcpSocket: { port: 80 } } }, []],
    [{ postStart: {} }, ['Required lifecycle.postStart']],
    [{ preStop: {} }, ['Required lifecycle.preStop']],
    [{ preStop: { exec: {}, sleep: { seconds: 99 } } }, ['Required lifecycle.preStop.exec.command', 'Forbidden lifecycle.preStop.sleep']],
    [{ preStop: { sleep: { seconds: 31 } } }, ['Invalid lifecycle.preStop.sleep']],
    [{ postStart: { sleep: { seconds: -1 } } }, ['Invalid lifecycle.postStart.sleep']],
    [{ postStart: { sleep: { seconds: 2n ** 60n } } }, ['Invalid lifecycle.postStart.sleep']],
  ])('%j has causes %j', (lifecycle, causes) => {
    expect(causesOf(lifecycle)).toEqual(causes);
  });

  it('names a signal of the operating system', () => {
    const [linux, windows] = [{ os: { name: 'linux' } }, { os: { name: 'windows' } }];
    expect(stopsBy('SIGTERM')).toEqual(['Forbidden lifecycle.stopSignal']);
    expect(['SIGTERM', 'SIGUSR1', 'SIGRTMIN+15', 'SIGRTMAX-14', 'SIGRTMAX'].flatMap((name) => stopsBy(name, linux))).toEqual([]);
    expect(stopsBy('SIGRTMIN+16', linux)).toEqual(['NotSupported lifecycle.stopSignal']);
    expect(stopsBy('SIGKILL', windows)).toEqual([]);
    expect(stopsBy('SIGUSR1', windows)).toEqual(['NotSupported lifecycle.stopSignal']);
    expect(stopsBy('SIGUSR1', { os: { name: 'other' } })).toEqual([]);
  });
});
