/** The served resources: lookup by request, and their list for discovery. */
import { storedKind } from '../../apis/kind-view.ts';
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import type { ServedResource } from './resource-call.ts';
import type { ReviewRouter } from './review-handler.ts';

export interface ResourceIndex {
  /** Kinds and reviews, in the given order. */
  readonly discoverable: readonly DiscoverableResource[];
  /** Undefined when no kind has this name. */
  find(info: ResourceRequest): ServedResource | undefined;
  /** Whether the group has a kind or review. */
  hasGroup(group: string): boolean;
}

export function createResourceIndex(
  resources: readonly ServedResource[],
  reviews: Pick<ReviewRouter, 'resources' | 'subresourcesOf'>,
): ResourceIndex {
  const byPath = new Map(resources.map((resource) => [pathOf(resource.kind.definition), resource]));
  const discoverable = [...resources.map((resource) => toDiscoverable(resource, reviews)), ...reviews.resources];
  const groups = new Set(discoverable.map(({ definition }) => definition.group));
  return { discoverable, find: (info) => byPath.get(pathOf(info)), hasGroup: (group) => groups.has(group) };
}

const pathOf = ({ group, version, resource }: Pick<ResourceRequest, 'group' | 'version' | 'resource'>) => `${group}/${version}/${resource}`;

const toDiscoverable = ({ kind }: ServedResource, reviews: Pick<ReviewRouter, 'subresourcesOf'>): DiscoverableResource => ({
  definition: kind.definition,
  verbs: kind.definition.verbs,
  subresources: {
    ...Object.fromEntries(kind.definition.subresources.map(({ name, verbs }) => [name, { verbs }])),
    ...reviews.subresourcesOf(kind.definition),
  },
  storedAs: storedKind(kind).definition,
});
