/** What the resource table needs of the reviews, which are served beside the kinds and store nothing. */
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/request-info.ts';
import type { ApiResponse } from '../transports/request.ts';

/** Throws StatusError to refuse. */
export type ReviewHandler = (context: AuthenticatedContext, info: ResourceRequest) => Promise<ApiResponse>;

export interface ReviewTable {
  /** In the order in which they were given. */
  readonly resources: readonly DiscoverableResource[];
  /** Undefined: no review has this name. */
  find(info: Pick<ResourceRequest, 'group' | 'version' | 'resource'>): ReviewHandler | undefined;
}
