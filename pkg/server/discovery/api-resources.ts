/** What discovery says of each resource, plain and aggregated alike. */
import { hash } from 'node:crypto';
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';

/** As plain discovery spells it; a subresource is named `<resource>/<subresource>`. */
export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** One version of one group. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  /** `<group>/<version>`, or the version alone in the group without a name. */
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

/**
 * A resource that is served, as discovery is told of it: a kind, another version that the same objects are seen in, or
 * one that stores nothing.
 */
export interface DiscoverableResource {
  readonly definition: Pick<
    ResourceDefinition,
    'group' | 'version' | 'apiVersion' | 'kind' | 'resource' | 'singular' | 'shortNames' | 'categories' | 'namespaced'
  >;
  /** Those that have a handler. */
  readonly verbs: readonly Verb[];
  /** The same for each subresource, by its name. */
  readonly subresources: Readonly<Record<string, readonly Verb[]>>;
  /** What its objects are stored as. Absent: nothing is stored. */
  readonly storedAs?: StoredType;
}

type StoredType = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

/** In the order of the resources, the versions of one group next to each other. */
export function toServedVersions(resources: readonly DiscoverableResource[]): readonly ServedVersion[] {
  const groups = Map.groupBy(resources, ({ definition }) => definition.group);
  return [...groups].flatMap(([group, ofGroup]) =>
    [...Map.groupBy(ofGroup, ({ definition }) => definition.version)].map(([version, ofVersion]) => ({
      group,
      version,
      groupVersion: ofVersion[0]?.definition.apiVersion ?? version,
      resources: ofVersion.flatMap(toApiResources),
    })),
  );
}

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
    ...Object.entries(subresources).map(([subresource, ofSubresource]) => ({
      name: `${resource}/${subresource}`,
      singularName: '',
      namespaced,
      kind,
      verbs: [...ofSubresource].sort(),
    })),
  ];
}

const HASH_BYTES = 8;

/** Changes when objects are stored in another version: what migrators compare. Made as Kubernetes makes it. */
const storageVersionHash = ({ group, version, kind }: StoredType): string =>
  hash('sha256', `${group}/${version}/${kind}`, 'buffer').subarray(0, HASH_BYTES).toString('base64');
