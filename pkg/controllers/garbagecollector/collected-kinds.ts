/** The kinds that owner references can name. */
import type { ResourceDefinition } from '../../apis/kind.ts';
import { isView } from '../../apis/kind-view.ts';
import { objectKey } from '../../registry/keys.ts';
import type { ObjectStore } from '../../registry/object-store.ts';
import type { ServedKind } from '../../registry/registry.ts';
import type { Key } from '../../storage/keys.ts';
import type { ResourceCache } from '../../watchcache/watch-cache.ts';
import type { ObjectPlace, Target } from './graph.ts';
import type { OwnerReference } from './ownership.ts';

export interface CollectedKind {
  readonly definition: ResourceDefinition;
  readonly store: ObjectStore;
  readonly cache: ResourceCache;
  /** False: its objects may be owners, but their own references and finalizers are left alone, as those of Events. */
  readonly isCollected: boolean;
}

export type ObjectLocation = ObjectPlace<CollectedKind>;

export class CollectedKinds {
  readonly all: readonly CollectedKind[];
  readonly #byType: ReadonlyMap<string, CollectedKind>;

  constructor(served: readonly ServedKind[]) {
    this.all = served
      .filter(({ compiled }) => !isView(compiled.kind))
      .map(({ compiled: { kind }, store, cache }) => ({
        definition: kind.definition,
        store,
        cache,
        isCollected: kind.strategy.propagationFinalizers !== false,
      }));
    const byDefinition = new Map(this.all.map((each) => [each.definition, each]));
    this.#byType = new Map(
      served.flatMap(({ compiled: { kind, stored } }) => {
        const collected = byDefinition.get(stored.kind.definition);
        return collected === undefined ? [] : [[typeName(kind.definition), collected]];
      }),
    );
  }

  locate(reference: OwnerReference, namespace: string): Target<CollectedKind> {
    const { name } = reference;
    const resource = this.#byType.get(typeName(reference));
    if (resource === undefined || name === '' || name.includes('/')) return 'unknown';
    if (!resource.definition.namespaced) return { resource, namespace: '', name };
    return namespace === '' ? 'impossible' : { resource, namespace, name };
  }
}

const typeName = ({ apiVersion, kind }: Pick<ResourceDefinition, 'apiVersion' | 'kind'>): string => `${apiVersion}/${kind}`;

export const keyOf = ({ resource: { definition }, namespace, name }: ObjectLocation): Key => objectKey(definition, { namespace, name });
