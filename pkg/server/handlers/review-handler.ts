/** The interface to reviews, which are served beside the kinds and store nothing. */
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import type { ApiResponse } from '../transports/request.ts';

export type ReviewHandler = (context: AuthenticatedContext, info: ResourceRequest) => Promise<ApiResponse>;

export interface ReviewRouter {
  /** In the given order. */
  readonly resources: readonly DiscoverableResource[];
  /** Undefined: no review has this name. */
  find(info: Pick<ResourceRequest, 'group' | 'version' | 'resource'>): ReviewHandler | undefined;
}
