/** Which resources and verbs there are: the table that finds a handler by requestInfo. */
import { createFeatures, type Features } from '../../apimachinery/features/features.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { storedKind } from '../../apis/kind-view.ts';
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';
import type { DiscoverableResource } from '../discovery/api-resources.ts';
import { createMetaMessages } from '../representations/meta-messages.ts';
import type { ResourceRepresentation } from '../representations/resource-representation.ts';
import { createResourceRepresentations } from '../representations/resource-representations.ts';
import type { ResourceRepresentations } from '../representations/resource-representations.ts';
import { agreeOnOutput } from '../negotiation/agree.ts';
import type { NegotiateOptions } from '../negotiation/accept.ts';
import { type Output, PROTOBUF } from '../negotiation/output.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/request-info.ts';
import { textResponse } from '../filters/write-status.ts';
import { create } from './create.ts';
import { createDelete } from './delete.ts';
import { createDeleteCollection } from './delete-collection.ts';
import { createDeleteOptionsReader } from './delete-options.ts';
import { get } from './get.ts';
import { createList } from './list.ts';
import { methodNotAllowed, noSuchPath } from './path-refusals.ts';
import { createPatch } from './patch.ts';
import type { PatchHandlerOptions } from './patch.ts';
import { replace } from './replace.ts';
import type { Handler, ServedResource } from './resource-call.ts';
import { createWatch } from './watch.ts';
import type { WatchHandlerOptions } from './watch.ts';

/** By verb. A verb that is absent is refused, and discovery does not name it. */
export type VerbHandlers = Partial<Record<Verb, Handler>>;

export interface ResourceTableOptions extends Omit<WatchHandlerOptions, 'features'>, PatchHandlerOptions {
  readonly resources: readonly ServedResource[];
  /** Default: none. */
  readonly reviews?: ReviewTable | undefined;
  /** Default: every feature as its gate has it. */
  readonly features?: Features | undefined;
  /** One clause that says why writes of a resource cannot be served now. */
  readonly writesNotReady: (definition: ResourceDefinition) => string | undefined;
}

/** What is served beside the kinds and their views, and stores nothing. */
export interface ReviewTable {
  /** In the order in which they were given. */
  readonly resources: readonly DiscoverableResource[];
  /** Undefined: no review has this name. */
  find(info: Pick<ResourceRequest, 'group' | 'version' | 'resource'>): ReviewHandler | undefined;
}

/** Answers, or throws StatusError. */
export type ReviewHandler = (context: RequestContext, info: ResourceRequest) => Promise<ApiResponse>;

export interface ResourceTable {
  /** Kinds and reviews, in the order in which they were given. */
  readonly resources: readonly DiscoverableResource[];
  /** Answers, or throws StatusError. */
  respond(context: RequestContext, info: ResourceRequest): Promise<ApiResponse>;
}

const METHOD_OF: Record<Verb, string> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};
/** What a verb answers with, for the representation that is agreed on. */
const ENDPOINT_OF: Record<Verb, NegotiateOptions['endpoint']> = {
  get: 'object',
  list: 'list',
  watch: 'watch',
  create: 'object',
  update: 'object',
  patch: 'object',
  delete: 'object',
  deletecollection: 'list',
};
const NAMED: readonly Verb[] = ['get', 'update', 'patch', 'delete'];
const OF_COLLECTION: readonly Verb[] = ['list', 'create', 'deletecollection'];
const ACROSS_NAMESPACES: readonly Verb[] = ['list'];

export function createResourceTable({
  resources,
  reviews,
  writesNotReady,
  features = createFeatures(),
  ...options
}: ResourceTableOptions): ResourceTable {
  const meta = createMetaMessages();
  const representations = new Map<ServedResource, ResourceRepresentations>();
  const versions = new Map<string, Map<string, ServedResource>>();
  for (const resource of resources) {
    representations.set(
      resource,
      createResourceRepresentations({
        kind: resource.kind,
        parse: (json) => resource.stored.codec.parseStored(json),
        message: resource.message,
        meta,
        now: () => options.clock.now(),
      }),
    );
    const { apiVersion, resource: plural } = resource.kind.definition;
    const ofVersion = versions.get(apiVersion) ?? new Map<string, ServedResource>();
    versions.set(apiVersion, ofVersion.set(plural, resource));
  }
  // A version may have reviews alone.
  for (const { definition } of reviews?.resources ?? []) {
    if (!versions.has(definition.apiVersion)) versions.set(definition.apiVersion, new Map<string, ServedResource>());
  }
  const groups = new Set(Array.from(versions.keys(), groupOf));
  const deleting = createDeleteOptionsReader();
  const patch = createPatch(options);
  const ofResource: VerbHandlers = {
    create,
    get,
    list: createList(features),
    update: replace,
    patch,
    watch: createWatch({ ...options, features }),
    delete: createDelete({ ...deleting, features }),
    deletecollection: createDeleteCollection({ ...deleting, features }),
  };
  const ofStatus: VerbHandlers = { get, update: replace, patch };

  const respond = (context: RequestContext, info: ResourceRequest): Promise<ApiResponse> => {
    if (isNamespace(info)) return Promise.resolve(methodNotAllowed([], NO_NAMESPACES));
    const review = reviews?.find(info);
    if (review !== undefined) return review(context, info);
    const ofVersion = versions.get(info.group === '' ? info.version : `${info.group}/${info.version}`);
    if (ofVersion === undefined && !groups.has(info.group)) return Promise.resolve(textResponse(404, '404 page not found\n'));
    const resource = ofVersion?.get(info.resource);
    if (resource === undefined || !hasPath(resource.kind.definition, info)) throw noSuchPath();
    context.resourceExists = true;
    const handlers = info.subresource === '' ? ofResource : ofStatus;
    const allowed = allowedVerbs(resource.kind.definition, info);
    if (info.verb === 'unknown' || !allowed.includes(info.verb)) return Promise.resolve(methodNotAllowed(methodsOf(allowed, handlers)));
    const handler = handlers[info.verb];
    if (handler === undefined)
      return Promise.resolve(methodNotAllowed(methodsOf(allowed, handlers), `this version of the server has no ${info.verb}`));
    if (WRITES.includes(info.verb)) refuseUntil(writesNotReady(resource.kind.definition));
    const output = agreeOnOutput(context, ENDPOINT_OF[info.verb]);
    return handler({
      context,
      info,
      resource,
      output,
      representation: representationOf(representations.get(resource), info.verb, output, context),
    });
  };

  const discoverable = resources.map(({ kind, kind: { definition } }) => ({
    definition,
    verbs: definition.verbs.filter((verb) => ofResource[verb] !== undefined),
    subresources: Object.fromEntries(definition.subresources.map((name) => [name, OF_STATUS])),
    storedAs: storedKind(kind).definition,
  }));
  return {
    resources: [...discoverable, ...(reviews?.resources ?? [])],
    respond,
  };
}

/** Undefined: the stored one, and what the encode step makes of it. */
function representationOf(
  representations: ResourceRepresentations | undefined,
  verb: Verb,
  output: Output,
  { query }: RequestContext,
): ResourceRepresentation | undefined {
  const { as, mediaType } = output;
  const inProtobuf = mediaType === PROTOBUF;
  if (as === undefined) return inProtobuf ? representations?.inProtobuf() : representations?.inJson();
  const shows = ENDPOINT_OF[verb] === 'list' ? 'list' : 'object';
  return representations?.find({ as, inProtobuf, shows, includeObject: query.first('includeObject') });
}

const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Clients try again by themselves when they are told in how many seconds. */
function refuseUntil(notReady: string | undefined): void {
  if (notReady === undefined) return;
  throw new StatusError('ServiceUnavailable', `writes are not served yet: ${notReady}`, { details: { retryAfterSeconds: 1 } });
}

const NO_NAMESPACES = 'there is no Namespace kind: a namespace exists because something is in it';

/** kubectl reads the namespace of an object that it was told is missing, and a 404 for that takes the place of the object's own. */
const isNamespace = ({ group, version, resource, name, subresource, verb }: ResourceRequest): boolean =>
  group === '' && version === 'v1' && resource === 'namespaces' && name !== '' && subresource === '' && verb === 'get';

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

function hasPath({ namespaced, subresources }: ResourceDefinition, info: ResourceRequest): boolean {
  if (info.rest || (info.namespace !== '' && !namespaced)) return false;
  if (info.name !== '' && namespaced && info.namespace === '') return false;
  return info.subresource === '' || (!info.watchPath && subresources.some((name) => name === info.subresource));
}

const WATCH_ONLY: readonly Verb[] = ['watch'];
const WITH_WATCH: readonly Verb[] = [...OF_COLLECTION, 'watch'];
const ACROSS_WITH_WATCH: readonly Verb[] = [...ACROSS_NAMESPACES, 'watch'];
const OF_STATUS: readonly Verb[] = ['get', 'update', 'patch'];

function allowedVerbs({ namespaced }: ResourceDefinition, info: ResourceRequest): readonly Verb[] {
  if (info.watchPath) return WATCH_ONLY;
  if (info.subresource !== '') return OF_STATUS;
  if (info.name !== '') return NAMED;
  return namespaced && info.namespace === '' ? ACROSS_WITH_WATCH : WITH_WATCH;
}

const methodsOf = (allowed: readonly Verb[], handlers: VerbHandlers): readonly string[] =>
  allowed.filter((verb) => handlers[verb] !== undefined).map((verb) => METHOD_OF[verb]);
