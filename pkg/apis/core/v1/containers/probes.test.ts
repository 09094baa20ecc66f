import { describe, expect, it } from '@jest/globals';
import { containerCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Probe } from '../types.gen.ts';

const exec = { command: ['true'] };
const httpGet = { path: '/', port: 80, scheme: 'HTTP' };
const causesOf = (probe: Unchecked<Probe>) => containerCauses({ readinessProbe: probe });
const at = (cause: string) => (cause.endsWith(' ') ? `${cause}readinessProbe` : cause.replace(' ', ' readinessProbe.'));

describe('A probe', () => {
  it.each<[Unchecked<Probe>]>([
    [{ exec }],
    [{ httpGet: { ...httpGet, host: 'example.com', httpHeaders: [{ name: 'X-A', value: '' }, { name: 'X-A' }] } }],
    [{ httpGet: { ...httpGet, port: 'web', scheme: 'HTTPS' } }],
    [{ tcpSocket: { port: 'a-1' } }],
    [{ grpc: { port: 65535, service: '' } }],
    [{ exec, initialDelaySeconds: 0, timeoutSeconds: 1, periodSeconds: 0, successThreshold: 3, failureThreshold: 0 }],
  ])('may be %j', (probe) => {
    expect(causesOf(probe)).toEqual([]);
  });

  it.each<[Unchecked<Probe>, readonly string[]]>([
    [{}, ['Required ']],
    [{ exec: {} }, ['Required exec.command']],
    [{ exec: { command: [] } }, ['Required exec.command']],
    [{ httpGet: { ...httpGet, path: '' } }, ['Required httpGet.path']],
    [{ httpGet: { path: '/' } }, ['Invalid httpGet.port']],
    [{ httpGet: { ...httpGet, port: 65536 } }, ['Invalid httpGet.port']],
    [{ httpGet: { ...httpGet, port: 'Web' } }, ['Invalid httpGet.port']],
    [{ httpGet: { ...httpGet, port: '80' } }, ['Invalid httpGet.port']],
    [{ httpGet: { ...httpGet, scheme: 'http' } }, ['NotSupported httpGet.scheme']],
    [
      { httpGet: { ...httpGet, httpHeaders: [{ name: 'A' }, { name: 'A b' }, {}] } },
      ['Invalid httpGet.httpHeaders', 'Invalid httpGet.httpHeaders'],
    ],
    [{ tcpSocket: {} }, ['Invalid tcpSocket.port']],
    [{ tcpSocket: { port: 0 } }, ['Invalid tcpSocket.port']],
    [{ grpc: { port: 65536 } }, ['Invalid grpc.port']],
    [{ exec: {}, httpGet: {}, grpc: { port: 1 } }, ['Required exec.command', 'Forbidden httpGet', 'Forbidden grpc']],
    [
      { exec, initialDelaySeconds: -1, timeoutSeconds: -1, periodSeconds: -1, successThreshold: -1, failureThreshold: -1 },
      [
        'Invalid initialDelaySeconds',
        'Invalid timeoutSeconds',
        'Invalid periodSeconds',
        'Invalid successThreshold',
        'Invalid failureThreshold',
      ],
    ],
    [{ exec, terminationGracePeriodSeconds: 5 }, ['Invalid terminationGracePeriodSeconds']],
  ])('%j has causes %j', (probe, causes) => {
    expect(causesOf(probe)).toEqual(causes.map(at));
  });

  it.each(['livenessProbe', 'startupProbe'] as const)(
    'that restarts the container, %s, needs one success and may have a grace period',
    (field) => {
      expect(containerCauses({ [field]: { exec, successThreshold: 1, terminationGracePeriodSeconds: 1 } })).toEqual([]);
      expect(containerCauses({ [field]: { exec, successThreshold: 2 } })).toEqual([`Invalid ${field}.successThreshold`]);
      expect(containerCauses({ [field]: { exec, terminationGracePeriodSeconds: 0 } })).toEqual([
        `Invalid ${field}.terminationGracePeriodSeconds`,
      ]);
    },
  );
});
