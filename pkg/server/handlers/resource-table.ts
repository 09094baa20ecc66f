/** Which resources are served, and the handler of each request for one. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { storedKind } from '../../apis/kind-view.ts';
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/request-info.ts';
import { textResponse } from '../filters/write-status.ts';
import type { ApiResponse } from '../transports/request.ts';
import { methodNotAllowed, noSuchPath } from './path-refusals.ts';
import type { Handler, ServedResource } from './resource-call.ts';
import { allowedVerbs, hasPath, methodsOf, ON_STATUS } from './resource-paths.ts';
import { agreeOnRepresentation } from './response-representation.ts';
import type { ReviewTable } from './review-handler.ts';

export interface ResourceTableOptions {
  readonly resources: readonly ServedResource[];
  readonly handlers: Readonly<Record<Verb, Handler>>;
  /** Default: none. */
  readonly reviews?: ReviewTable | undefined;
  /** One clause that says why writes of a resource cannot be served now. */
  readonly writesNotReady: (definition: ResourceDefinition) => string | undefined;
}

export interface ResourceTable {
  /** Kinds and reviews, in the given order. */
  readonly resources: readonly DiscoverableResource[];
  respond(context: AuthenticatedContext, info: ResourceRequest): Promise<ApiResponse>;
}

export function createResourceTable({ resources, handlers, reviews, writesNotReady }: ResourceTableOptions): ResourceTable {
  const versions = versionsOf(resources, reviews);
  const groups = new Set(Array.from(versions.keys(), groupOf));
  return {
    resources: [...resources.map(toDiscoverable), ...(reviews?.resources ?? [])],
    respond: (context, info) => {
      if (isNamespace(info)) return Promise.resolve(methodNotAllowed([], NO_NAMESPACES));
      const review = reviews?.find(info);
      if (review !== undefined) return review(context, info);
      const ofVersion = versions.get(info.group === '' ? info.version : `${info.group}/${info.version}`);
      if (ofVersion === undefined && !groups.has(info.group)) return Promise.resolve(textResponse(404, '404 page not found\n'));
      const resource = ofVersion?.get(info.resource);
      if (resource === undefined || !hasPath(resource.kind.definition, info)) throw noSuchPath();
      context.resourceExists = true;
      const { verb } = info;
      const verbs = allowedVerbs(resource.kind.definition, info);
      if (verb === 'unknown' || !verbs.includes(verb)) return Promise.resolve(methodNotAllowed(methodsOf(verbs)));
      if (WRITES.includes(verb)) assertReady(writesNotReady(resource.kind.definition));
      const representation = agreeOnRepresentation(context, verb, resource.representations);
      return handlers[verb]({ context, info, resource, representation });
    },
  };
}

type ResourcesByName = Map<string, ServedResource>;

/** By apiVersion and plural. A version may have reviews only. */
function versionsOf(resources: readonly ServedResource[], reviews: ReviewTable | undefined): ReadonlyMap<string, ResourcesByName> {
  const versions = new Map<string, ResourcesByName>();
  const version = (apiVersion: string): ResourcesByName => {
    const found = versions.get(apiVersion) ?? new Map<string, ServedResource>();
    versions.set(apiVersion, found);
    return found;
  };
  for (const resource of resources) {
    const { apiVersion, resource: plural } = resource.kind.definition;
    version(apiVersion).set(plural, resource);
  }
  for (const { definition } of reviews?.resources ?? []) version(definition.apiVersion);
  return versions;
}

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

const toDiscoverable = ({ kind }: ServedResource): DiscoverableResource => ({
  definition: kind.definition,
  verbs: kind.definition.verbs,
  subresources: Object.fromEntries(kind.definition.subresources.map((name) => [name, ON_STATUS])),
  storedAs: storedKind(kind).definition,
});

const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** With retryAfterSeconds, clients retry by themselves. */
function assertReady(notReady: string | undefined): void {
  if (notReady === undefined) return;
  throw new StatusError('ServiceUnavailable', `writes are not served yet: ${notReady}`, { details: { retryAfterSeconds: 1 } });
}

const NO_NAMESPACES = 'there is no Namespace kind: a namespace exists because something is in it';

/** kubectl requests the namespace of a missing object; a 404 for it would hide the object's own error. */
const isNamespace = ({ group, version, resource, name, subresource, verb }: ResourceRequest): boolean =>
  group === '' && version === 'v1' && resource === 'namespaces' && name !== '' && subresource === '' && verb === 'get';
