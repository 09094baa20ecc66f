/** The fields that a write to a resource or its subresource can own. */
import type { Kind, ResourceDefinition, StatusRules, Strategy } from '../../apis/kind.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';

/** A create, an update, or an update of a subresource. */
export interface WriteScope {
  readonly shape: ObjectShape;
  /** `<group>/<version>`. As in Kubernetes, fields owned in another version are dropped. */
  readonly apiVersion: string;
  /** Fields that this write, and so its manager, cannot own, with everything below them. Named as in Kubernetes. */
  readonly resetFields: FieldSet;
}

export interface WriteScopes {
  readonly create: WriteScope;
  readonly update: WriteScope;
  readonly subresource: (name: string) => WriteScope;
}

/** The parts of a kind that field management needs. */
export interface ManagedKind extends Pick<Kind, 'shape'> {
  readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion'>;
  readonly strategy: Pick<Strategy, 'status' | 'subresources'>;
}

export function writeScopes({ definition, shape, strategy }: ManagedKind): WriteScopes {
  const scope = (...resetFields: readonly string[]): WriteScope => ({
    shape,
    apiVersion: definition.apiVersion,
    resetFields: FieldSet.of(...resetFields.map((name) => [fieldElement(name)])),
  });
  const { status, subresources = {} } = strategy;
  const statusUpdate = scope(...(status === undefined ? [] : RESET_BY_STATUS_UPDATE[status.resetOnStatusUpdate]));
  const others = new Map(Object.entries(subresources).map(([name, { resets }]) => [name, scope(...resets)]));
  return {
    create: scope(...(status?.resetOnCreate === true ? ['status'] : [])),
    update: scope(...(status?.resetOnUpdate === true ? ['status'] : [])),
    subresource: (name) => others.get(name) ?? statusUpdate,
  };
}

const RESET_BY_STATUS_UPDATE: Readonly<Record<StatusRules['resetOnStatusUpdate'], readonly string[]>> = {
  spec: ['spec'],
  'spec-and-metadata': ['spec', 'metadata'],
  'spec-and-all-metadata': ['spec', 'metadata'],
};
