/** Pod templates for tables of rules, defaults filled in. */
import type { Unchecked } from '../../pkg/apis/define-strategy.ts';
import type { Container, PodSpec, PodTemplateSpec } from '../../pkg/apis/core/v1/types.gen.ts';
import { validatePodTemplate } from '../../pkg/apis/core/v1/pod-template/pod-template.ts';
import { FieldPath } from '../../pkg/apimachinery/status/field-path.ts';

export const container = (fields: Unchecked<Container> = {}): Unchecked<Container> => ({
  name: 'main',
  image: 'busybox:1.37',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  resources: {},
  ...fields,
});

/** The smallest spec that is valid. */
export const podSpec = (fields: Unchecked<PodSpec> = {}): Unchecked<PodSpec> => ({
  containers: [container()],
  restartPolicy: 'OnFailure',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  ...fields,
});

/** `Invalid t.spec.nodeName`: the reason without `FieldValue`, and the field, where `t` is the template. */
export const causesOfTemplate = (template: Unchecked<PodTemplateSpec> | undefined): readonly string[] =>
  validatePodTemplate(template, FieldPath.of('t')).map(({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field}`);

/** The same for a valid spec with `fields` in it. In the answers `s` stands for the spec. */
export const causesOfPod = (fields: Unchecked<PodSpec>): readonly string[] =>
  causesOfTemplate({ spec: podSpec(fields) }).map((cause) => cause.replace(' t.spec', ' s'));
