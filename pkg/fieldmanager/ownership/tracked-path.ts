/** What a write can make anybody own. */
import type { Kind, ResourceDefinition, StatusRules, Strategy } from '../../apis/kind.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';

/** One of the paths that an object of a kind is written by. */
export interface TrackedPath {
  readonly shape: ObjectShape;
  /** `<group>/<version>`. Fields that are owned in another version are nobody's, also where a kind has views: Kubernetes forgets them as well. */
  readonly apiVersion: string;
  /** What a write to this path cannot set, whatever is sent: nobody comes to own it here, or what is below it. */
  readonly reset: FieldSet;
}

export interface TrackedPaths {
  readonly create: TrackedPath;
  readonly update: TrackedPath;
  readonly status: TrackedPath;
}

/** What of a kind says what is tracked of its objects. */
export interface TrackedKind extends Pick<Kind, 'shape'> {
  readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion'>;
  readonly strategy: Pick<Strategy, 'status'>;
}

export function trackedPaths({ definition, shape, strategy }: TrackedKind): TrackedPaths {
  const path = (...reset: readonly string[]): TrackedPath => ({
    shape,
    apiVersion: definition.apiVersion,
    reset: FieldSet.of(...reset.map((name) => [fieldElement(name)])),
  });
  const { status } = strategy;
  return {
    create: path(...(status?.resetOnCreate === true ? ['status'] : [])),
    update: path(...(status?.keptByMainUpdate === true ? ['status'] : [])),
    status: path(...(status === undefined ? [] : KEPT_BY_STATUS[status.keptByStatusUpdate])),
  };
}

const KEPT_BY_STATUS: Readonly<Record<StatusRules['keptByStatusUpdate'], readonly string[]>> = {
  spec: ['spec'],
  'spec-and-metadata': ['spec', 'metadata'],
};
