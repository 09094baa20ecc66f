/** Resources as discovery lists them, both plain and aggregated. */
import { hash } from 'node:crypto';
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';

/** As in plain discovery; a subresource is named `<resource>/<subresource>`. */
export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  /** Those of the kind, if they are not those of the enclosing list. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  /** `<group>/<version>`; the version alone in the core group. */
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

/** A served resource: a kind, a view of one, or a review, which stores nothing. */
export interface DiscoverableResource {
  readonly definition: Pick<
    ResourceDefinition,
    'group' | 'version' | 'apiVersion' | 'kind' | 'resource' | 'singular' | 'shortNames' | 'categories' | 'namespaced'
  >;
  /** Verbs that have a handler. */
  readonly verbs: readonly Verb[];
  /** By name. */
  readonly subresources: Readonly<Record<string, DiscoverableSubresource>>;
  /** The stored type of its objects. Absent: nothing is stored. */
  readonly storedAs?: StoredType;
}

export interface DiscoverableSubresource {
  readonly verbs: readonly Verb[];
  /** Of the body. Absent: that of the resource. */
  readonly type?: StoredType;
}

type StoredType = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

/** Groups in the order of their first resources, and versions within a group; resources by name, as in Kubernetes. */
export function toServedVersions(resources: readonly DiscoverableResource[]): readonly ServedVersion[] {
  const groups = Map.groupBy(resources, ({ definition }) => definition.group);
  return [...groups].flatMap(([group, groupResources]) =>
    [...Map.groupBy(groupResources, ({ definition }) => definition.version)].map(([version, versionResources]) => ({
      group,
      version,
      groupVersion: versionResources[0]?.definition.apiVersion ?? version,
      resources: versionResources.toSorted(byName).flatMap(toApiResources),
    })),
  );
}

const byName = (a: DiscoverableResource, b: DiscoverableResource): number => (a.definition.resource < b.definition.resource ? -1 : 1);

function toApiResources({ definition, verbs, subresources, storedAs }: DiscoverableResource): readonly ApiResource[] {
  const { resource, singular, namespaced, kind, shortNames, categories } = definition;
  return [
    {
      name: resource,
      singularName: singular,
      namespaced,
      kind,
      verbs: [...verbs].sort(),
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(storedAs === undefined ? {} : { storageVersionHash: storageVersionHash(storedAs) }),
    },
    ...Object.entries(subresources).map(([subresource, { verbs: subresourceVerbs, type }]) => ({
      name: `${resource}/${subresource}`,
      singularName: '',
      namespaced,
      kind,
      ...type,
      verbs: [...subresourceVerbs].sort(),
    })),
  ];
}

const HASH_BYTES = 8;

/** Changes with the storage version; migrators compare it. Computed as in Kubernetes. */
const storageVersionHash = ({ group, version, kind }: StoredType): string =>
  hash('sha256', `${group}/${version}/${kind}`, 'buffer').subarray(0, HASH_BYTES).toString('base64');
