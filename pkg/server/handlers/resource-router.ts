/** Routes each request for a resource to the handler of its verb. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import { textResponse } from '../responses/status-response.ts';
import type { ApiResponse } from '../transports/request.ts';
import { methodNotAllowed, pathNotFound } from './path-errors.ts';
import type { ResourceHandler } from './resource-call.ts';
import type { ResourceIndex } from './resource-index.ts';
import { allowedVerbs, hasPath, methodsOf } from './resource-paths.ts';
import { negotiateRepresentation } from './response-representation.ts';
import type { ReviewRouter } from './review-handler.ts';

export interface ResourceRouterOptions {
  readonly index: ResourceIndex;
  readonly handlers: Readonly<Record<Verb, ResourceHandler>>;
  /** Default: none. */
  readonly reviews?: ReviewRouter | undefined;
  /** Why writes of a resource cannot be served now, in one clause. */
  readonly writesNotReady: (definition: ResourceDefinition) => string | undefined;
}

export interface ResourceRouter {
  respond(context: AuthenticatedContext, info: ResourceRequest): Promise<ApiResponse>;
}

export function createResourceRouter({ index, handlers, reviews, writesNotReady }: ResourceRouterOptions): ResourceRouter {
  return {
    respond: (context, info) => {
      const review = reviews?.find(info);
      if (review !== undefined) return review(context, info);
      if (!index.hasGroup(info.group)) return Promise.resolve(textResponse(404, '404 page not found\n'));
      const resource = index.find(info);
      if (resource === undefined || !hasPath(resource.kind.definition, info)) throw pathNotFound();
      context.resourceExists = true;
      const { verb } = info;
      const verbs = allowedVerbs(resource.kind.definition, info);
      if (verb === 'unknown' || !verbs.includes(verb)) return Promise.resolve(methodNotAllowed(methodsOf(verbs)));
      if (WRITES.includes(verb)) assertReady(writesNotReady(resource.kind.definition));
      const representation = negotiateRepresentation(context, { verb, subresource: info.subresource }, resource.representations);
      return handlers[verb]({ context, info, resource, representation });
    },
  };
}

const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** With retryAfterSeconds, clients retry by themselves. */
function assertReady(notReady: string | undefined): void {
  if (notReady === undefined) return;
  throw new StatusError('ServiceUnavailable', `writes are not served yet: ${notReady}`, { details: { retryAfterSeconds: 1 } });
}
