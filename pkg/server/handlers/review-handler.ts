/** The interface to reviews, which are served beside the kinds and store nothing. */
import type { ReviewParent } from '../../apis/review.ts';
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import type { ApiResponse } from '../transports/request.ts';

export type ReviewHandler = (context: AuthenticatedContext, info: ResourceRequest) => Promise<ApiResponse>;

export interface ReviewRouter {
  /** In the given order, without those that have a parent. */
  readonly resources: readonly DiscoverableResource[];
  /** Those of a resource, by name. */
  subresourcesOf(resource: Pick<ReviewParent, 'group' | 'version' | 'resource'>): DiscoverableResource['subresources'];
  /** Undefined: no review has this name. */
  find(info: ResourceRequest): ReviewHandler | undefined;
}
