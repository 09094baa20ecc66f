/** What discovery says of each kind, plain and aggregated alike. */
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

export interface VerbsOptions {
  /** Verbs that have a handler, of those that the kind has. */
  readonly verbsOf: (definition: ResourceDefinition) => readonly Verb[];
  readonly statusVerbs: () => readonly Verb[];
}

/** In the order of the definitions, the versions of one group next to each other. */
export function toServedVersions(definitions: readonly ResourceDefinition[], options: VerbsOptions): readonly ServedVersion[] {
  const groups = Map.groupBy(definitions, ({ group }) => group);
  return [...groups.values()].flatMap((ofGroup) =>
    [...Map.groupBy(ofGroup, ({ version }) => version)].map(([version, ofVersion]) => ({
      group: ofVersion[0]?.group ?? '',
      version,
      groupVersion: ofVersion[0]?.apiVersion ?? version,
      resources: ofVersion.flatMap((definition) => toApiResources(definition, options)),
    })),
  );
}

function toApiResources(definition: ResourceDefinition, { verbsOf, statusVerbs }: VerbsOptions): readonly ApiResource[] {
  const { resource, singular, namespaced, kind, shortNames, categories, subresources } = definition;
  return [
    {
      name: resource,
      singularName: singular,
      namespaced,
      kind,
      verbs: [...verbsOf(definition)].sort(),
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      storageVersionHash: storageVersionHash(definition),
    },
    ...subresources.map((subresource) => ({
      name: `${resource}/${subresource}`,
      singularName: '',
      namespaced,
      kind,
      verbs: [...statusVerbs()].sort(),
    })),
  ];
}

const HASH_BYTES = 8;

/** Changes when objects are stored in another version: what migrators compare. Made as Kubernetes makes it. */
const storageVersionHash = ({ group, version, kind }: ResourceDefinition): string =>
  hash('sha256', `${group}/${version}/${kind}`, 'buffer').subarray(0, HASH_BYTES).toString('base64');
