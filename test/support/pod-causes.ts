/** What is wrong with the containers of a pod spec, in short, for tables of rules. */
import { FieldPath } from '../../pkg/apimachinery/status/field-path.ts';
import type { StatusCause } from '../../pkg/apimachinery/status/status-error.ts';
import { validateContainers } from '../../pkg/apis/core/v1/containers/containers.ts';
import type { Container, PodSpec } from '../../pkg/apis/core/v1/types.gen.ts';
import type { Unchecked } from '../../pkg/apis/define-strategy.ts';

/** `Invalid spec.containers[0].image`: the reason without `FieldValue`, and the field. */
export const shortCauses = (causes: readonly StatusCause[]): readonly string[] =>
  causes.map(({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field}`);

/** All volumes of the spec count as valid. */
export const podCauses = (spec: Unchecked<PodSpec>): readonly string[] =>
  shortCauses(validateContainers(spec, FieldPath.of('spec'), new Map(spec.volumes?.map((volume) => [volume.name ?? '', volume]))));

/** Of a pod with one container, right but for what is given. Fields are named from the container on. */
export const containerCauses = (container: Unchecked<Container>, spec: Unchecked<PodSpec> = {}): readonly string[] =>
  podCauses({ ...spec, containers: [{ name: 'main', image: 'busybox', ...container }] }).map((cause) =>
    cause.replace('spec.containers[0].', ''),
  );
