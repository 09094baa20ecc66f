import { describe, expect, it } from '@jest/globals';
import { podCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { EphemeralContainer } from '../types.gen.ts';

const causesOf = (container: Unchecked<EphemeralContainer>) =>
  podCauses({
    containers: [{ name: 'main', image: 'a' }],
    initContainers: [{ name: 'init', image: 'a' }],
    volumes: [{ name: 'v', emptyDir: {} }],
    ephemeralContainers: [{ name: 'debug', image: 'busybox', ...container }],
  }).map((cause) => cause.replace('spec.ephemeralContainers[0].', ''));

describe('An ephemeral container', () => {
  it.each<[Unchecked<EphemeralContainer>, readonly string[]]>([
    [{ targetContainerName: 'main', resources: {}, ports: [], command: ['sh'], stdin: true, tty: true }, []],
    [{ targetContainerName: 'init', volumeMounts: [{ name: 'v', mountPath: '/v' }] }, []],
    [{ name: 'main' }, ['Duplicate name']],
    [{ name: 'init' }, ['Duplicate name']],
    [{ image: ' busybox' }, ['Invalid image']],
    [{ image: '' }, ['Required image']],
    [{ targetContainerName: 'debug' }, ['NotFound targetContainerName']],
    [{ ports: [{ containerPort: 80 }] }, ['Forbidden ports']],
    [{ resources: { limits: { cpu: '1' } } }, ['Forbidden resources']],
    [
      { livenessProbe: {}, readinessProbe: {}, startupProbe: {}, lifecycle: {} },
      ['Forbidden livenessProbe', 'Forbidden readinessProbe', 'Forbidden startupProbe', 'Forbidden lifecycle'],
    ],
    [{ restartPolicy: 'Always' }, ['Forbidden restartPolicy']],
    [{ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }, ['Forbidden resizePolicy']],
    [
      {
        volumeMounts: [
          { name: 'v', mountPath: '/v', subPath: 'a' },
          { name: 'v', mountPath: '/w', subPathExpr: 'a' },
        ],
      },
      ['Forbidden volumeMounts[0].subPath', 'Forbidden volumeMounts[1].subPathExpr'],
    ],
  ])('%j has causes %j', (container, causes) => {
    expect(causesOf(container)).toEqual(causes);
  });
});
