import { describe, expect, it } from '@jest/globals';
import { causesOfPod, container } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSecurityContext, PodSpec, SecurityContext } from '../types.gen.ts';

const context = (securityContext: Unchecked<PodSecurityContext>) => ({ securityContext });
const sysctls = (...names: readonly string[]) => context({ sysctls: names.map((name) => ({ name, value: '1' })) });
const at = (field: string) => `s.securityContext.${field}`;
const inContainers = (...contexts: readonly (Unchecked<SecurityContext> | undefined)[]) => ({
  containers: contexts.map((securityContext, index) => container({ name: `c${index}`, ...(securityContext && { securityContext }) })),
});

const table = (rows: readonly (readonly [string, Unchecked<PodSpec>, readonly string[]])[]) =>
  it.each(rows.map((row) => [...row] as [string, Unchecked<PodSpec>, readonly string[]]))('%s', (_, fields, causes) => {
    expect(causesOfPod(fields)).toEqual(causes);
  });

describe("A pod's security context", () => {
  table([
    ['may be empty', context({}), []],
    ['has groups of files', context({ fsGroup: -1 }), [`Invalid ${at('fsGroup')}`]],
    ['has users within 31 bits', context({ runAsUser: 2 ** 31 }), [`Invalid ${at('runAsUser')}`]],
    ['has groups within 31 bits', context({ runAsGroup: 2n ** 62n }), [`Invalid ${at('runAsGroup')}`]],
    ['has more groups within 31 bits', context({ supplementalGroups: [0, -1] }), [`Invalid ${at('supplementalGroups[1]')}`]],
    ['has a known way to change groups', context({ fsGroupChangePolicy: 'Never' }), [`NotSupported ${at('fsGroupChangePolicy')}`]],
    ['has a known way to add groups', context({ supplementalGroupsPolicy: '' }), [`NotSupported ${at('supplementalGroupsPolicy')}`]],
    ['has a known way to label files', context({ seLinuxChangePolicy: 'MountOption' }), [`NotSupported ${at('seLinuxChangePolicy')}`]],
    ['labels files one by one', context({ seLinuxChangePolicy: 'Recursive' }), []],
    ['has a seccomp profile of a type', context({ seccompProfile: { type: '' } }), [`Required ${at('seccompProfile.type')}`]],
    [
      'has a path of a seccomp profile',
      context({ seccompProfile: { type: 'Localhost' } }),
      [`Required ${at('seccompProfile.localhostProfile')}`],
    ],
    [
      'has an AppArmor profile of a known type',
      context({ appArmorProfile: { type: 'x' } }),
      [`NotSupported ${at('appArmorProfile.type')}`],
    ],
    ['has valid options of Windows', context({ windowsOptions: { runAsUserName: '' } }), [`Invalid ${at('windowsOptions.runAsUserName')}`]],
    [
      'does not share processes with the node and among containers',
      { hostPID: true, shareProcessNamespace: true },
      [`Invalid ${at('shareProcessNamespace')}`],
    ],
    ['may say no to sharing', { hostPID: true, shareProcessNamespace: false }, []],
  ]);
});

describe('Sysctls', () => {
  table([
    ['may have dots and slashes', sysctls('kernel.shm_rmid_forced', 'net/ipv4/conf/eth0.100/arp_filter', 'a-b'), []],
    ['have a name', sysctls(''), [`Required ${at('sysctls[0].name')}`]],
    ['have a name without capitals', sysctls('A'), [`Invalid ${at('sysctls[0].name')}`]],
    ['have a name without empty parts', sysctls('a..b'), [`Invalid ${at('sysctls[0].name')}`]],
    ['have a name of 253 bytes', sysctls('a'.repeat(253), 'a'.repeat(254)), [`Invalid ${at('sysctls[1].name')}`]],
    ['are set once', sysctls('a', 'b', 'a'), [`Duplicate ${at('sysctls[2].name')}`]],
    [
      'leave the network of the node',
      { hostNetwork: true, ...sysctls('net.a', 'net/a.b', 'kernel.sem') },
      [0, 1].map((i) => `Invalid ${at(`sysctls[${i}].name`)}`),
    ],
    [
      'leave the IPC of the node',
      {
        hostIPC: true,
        ...sysctls('kernel.sem', 'kernel.shmmax', 'kernel.msgmax', 'fs.mqueue.a', 'fs/mqueue/b', 'net.a', 'kernel.semaphore'),
      },
      [0, 1, 2, 3, 4].map((i) => `Invalid ${at(`sysctls[${i}].name`)}`),
    ],
  ]);
});

describe('A pod with users of its own', () => {
  table([
    [
      'has the rest of its own, too',
      { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
      ['Forbidden s.hostNetwork', 'Forbidden s.HostPID', 'Forbidden s.HostIPC'],
    ],
    ['is right', { hostUsers: false }, []],
    [
      'has no raw devices',
      {
        hostUsers: false,
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
        containers: [container(), container({ name: 'b', volumeDevices: [{ name: 'v', devicePath: '/dev/v' }] })],
      },
      ['Forbidden s.containers[1].volumeDevices'],
    ],
    ['may be spelled out to have none', { hostUsers: true, hostNetwork: true, hostPID: true, hostIPC: true }, []],
  ]);
});

describe('A pod for an operating system', () => {
  const linux = { os: { name: 'linux' } };
  const windows = { os: { name: 'windows' } };
  table([
    ['names it', { os: {} }, ['Required s.os.name']],
    ['names one that there is', { os: { name: 'plan9' } }, ['NotSupported s.os']],
    [
      'has no options of Windows on Linux',
      { ...linux, ...context({ windowsOptions: {} }), ...inContainers(undefined, { windowsOptions: {} }) },
      [`Forbidden ${at('windowsOptions')}`, 'Forbidden s.containers[1].securityContext.windowsOptions'],
    ],
    [
      'may have options of Windows on Windows',
      { ...windows, ...context({ windowsOptions: {}, runAsNonRoot: true }), ...inContainers({ windowsOptions: {}, runAsNonRoot: true }) },
      [],
    ],
    [
      'has none of Linux on Windows',
      {
        ...windows,
        hostUsers: true,
        hostPID: true,
        hostIPC: true,
        shareProcessNamespace: false,
        ...context({
          appArmorProfile: { type: 'RuntimeDefault' },
          seLinuxOptions: {},
          seccompProfile: { type: 'RuntimeDefault' },
          fsGroup: 1,
          fsGroupChangePolicy: 'Always',
          runAsUser: 1,
          runAsGroup: 1,
          supplementalGroups: [],
          supplementalGroupsPolicy: 'Merge',
          seLinuxChangePolicy: 'Recursive',
          sysctls: [{ name: 'a', value: '1' }],
        }),
      },
      [
        ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'runAsUser', 'runAsGroup'].map(at),
        ...['supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy', 'sysctls'].map(at),
        ...['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'].map((field) => `s.${field}`),
      ].map((field) => `Forbidden ${field}`),
    ],
    [
      'has none of Linux in containers on Windows',
      {
        ...windows,
        ...inContainers({
          appArmorProfile: { type: 'RuntimeDefault' },
          seLinuxOptions: {},
          seccompProfile: { type: 'RuntimeDefault' },
          capabilities: {},
          readOnlyRootFilesystem: false,
          privileged: false,
          allowPrivilegeEscalation: false,
          procMount: 'Default',
          runAsUser: 1,
          runAsGroup: 1,
        }),
      },
      [
        ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged'],
        ...['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
      ].map((field) => `Forbidden s.containers[0].securityContext.${field}`),
    ],
  ]);
});

describe('A process of a Windows host', () => {
  const hostProcess = (value: boolean) => ({ windowsOptions: { hostProcess: value } });
  table([
    ['is right with the network of the host', { hostNetwork: true, ...context(hostProcess(true)) }, []],
    ['is right when each container says so', { hostNetwork: true, ...inContainers(hostProcess(true), hostProcess(true)) }, []],
    ['is none when nobody wants it', inContainers(hostProcess(false), undefined), []],
    ['needs the network of the host', context(hostProcess(true)), ['Invalid s.hostNetwork']],
    ['stands with others of its kind', { hostNetwork: true, ...inContainers(hostProcess(true), undefined) }, ['Invalid s']],
    [
      'is one in the eyes of pod and container',
      { hostNetwork: true, ...context(hostProcess(true)), ...inContainers(hostProcess(false)) },
      ['Invalid s.containers[0].securityContext.windowsOptions.hostProcess'],
    ],
  ]);
});
