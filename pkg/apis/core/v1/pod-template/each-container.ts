import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, EphemeralContainer, PodSpec } from '../types.gen.ts';

export type AnyContainer = Unchecked<Container> | Unchecked<EphemeralContainer>;

/** All containers of a pod with their paths: init containers, containers, ephemeral containers. */
export function* eachContainer(spec: Unchecked<PodSpec>, path: FieldPath): Generator<readonly [AnyContainer, FieldPath]> {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers: readonly AnyContainer[] = spec[list] ?? [];
    if (containers.length === 0) continue;
    const at = path.child(list);
    for (const [index, container] of containers.entries()) yield [container, at.index(index)];
  }
}
