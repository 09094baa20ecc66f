/**
 * Serves reviews: a POST responds with a computed object that is not stored. Reviews use the same codecs and
 * negotiation as all objects; `pkg/apis/review.ts` has their semantics.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Review, ReviewDefinition, TokenService } from '../../apis/review.ts';
import type { Authorizer, RuleResolver } from '../../authorization/authorizer.ts';
import { asKind } from '../handlers/decoded-object.ts';
import { methodNotAllowed, pathNotFound } from '../handlers/path-errors.ts';
import { parseObject, readBody } from '../handlers/read-object.ts';
import type { TypedResource } from '../handlers/resource-call.ts';
import type { ReviewHandler, ReviewRouter } from '../handlers/review-handler.ts';
import { parseWriteOptions } from '../handlers/write-options.ts';
import { negotiateOutput } from '../negotiation/negotiate.ts';
import { withMetadata } from '../../registry/object-meta.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import { toRequester } from './requester.ts';
import { createReviewResponder } from './review-response.ts';

export interface ServedReview extends TypedResource {
  readonly kind: Review;
}

export interface ReviewRouterOptions {
  readonly reviews: readonly ServedReview[];
  readonly authorizer: Authorizer & RuleResolver;
  readonly tokens: TokenService;
  readonly clock: Pick<Clock, 'now'>;
}

export function createReviewRouter({ reviews, authorizer, tokens, clock }: ReviewRouterOptions): ReviewRouter {
  const toResponse = createReviewResponder();

  const respond = async (context: AuthenticatedContext, info: ResourceRequest, served: ServedReview): Promise<ApiResponse> => {
    const { kind: review, fieldManager } = served;
    const { parent } = review.definition;
    const output = negotiateOutput(context, 'review');
    const call = { context, resource: served };
    const body = await readBody(call);
    const { fieldValidation, fieldManager: manager } = parseWriteOptions(
      context.query,
      context.request.headers['user-agent'],
      'CreateOptions',
    );
    const parsed = parseObject(call, body, fieldValidation);
    const sent = toSent(review.definition, parsed, info.namespace);
    const nowMs = clock.now();
    const question = fieldManager.update(undefined, review.applyDefaults?.(sent) ?? sent, {
      manager,
      subresource: parent?.subresource ?? '',
      nowMs,
    });
    const answered = await review.answer(question, toRequester(context, info, { authorizer, tokens, nowMs }));
    return toResponse(served, review.definition, asKind(answered, review.definition), output);
  };

  const handlers = new Map(reviews.map((served) => [pathOf(placeOf(served.kind.definition)), createHandler(served, respond)]));
  const definitions = reviews.map(({ kind: { definition } }) => definition);
  return {
    resources: definitions
      .filter(({ parent }) => parent === undefined)
      .map((definition) => ({
        definition: { ...definition, shortNames: [], categories: [], namespaced: definition.namespaced === true },
        verbs: ['create'],
        subresources: {},
      })),
    subresourcesOf: (resource) =>
      Object.fromEntries(
        definitions.flatMap(({ parent, group, version, kind }) =>
          parent !== undefined && pathOf({ ...resource, subresource: parent.subresource }) === pathOf(parent)
            ? [[parent.subresource, { verbs: ['create'], type: { group, version, kind } }]]
            : [],
        ),
      ),
    find: (info) => handlers.get(pathOf(info)),
  };
}

type Place = Pick<ResourceRequest, 'group' | 'version' | 'resource' | 'subresource'>;

const placeOf = ({ parent, group, version, resource }: ReviewDefinition): Place => parent ?? { group, version, resource, subresource: '' };

const pathOf = ({ group, version, resource, subresource }: Place) => `${group}/${version}/${resource}/${subresource}`;

const createHandler =
  (
    served: ServedReview,
    respond: (context: AuthenticatedContext, info: ResourceRequest, served: ServedReview) => Promise<ApiResponse>,
  ): ReviewHandler =>
  (context, info) => {
    const { namespace, name, watchPath, extraSegments } = info;
    const { parent, namespaced } = served.kind.definition;
    const isNamed = parent !== undefined;
    if ((namespace !== '') !== (isNamed || namespaced === true) || (name !== '') !== isNamed || watchPath || extraSegments)
      throw pathNotFound();
    context.resourceExists = true;
    return info.verb === 'create' ? respond(context, info, served) : Promise.resolve(methodNotAllowed(['POST']));
  };

/** Without the metadata that only the server sets; in its namespace, unless it names another. */
function toSent({ parent, namespaced }: ReviewDefinition, object: KubernetesObject, namespace: string): KubernetesObject {
  if (parent !== undefined) return withoutTimes(object);
  const { namespace: named = namespace } = object.metadata;
  return namespaced === true ? withMetadata(withoutSystemMetadata(object), { namespace: named }) : withoutSystemMetadata(object);
}

/** Drops metadata that only the server sets. */
const withoutSystemMetadata = (object: KubernetesObject): KubernetesObject =>
  withMetadata(withoutTimes(object), { namespace: undefined, uid: undefined });

/** Keeps what tells which object is meant. */
const withoutTimes = (object: KubernetesObject): KubernetesObject =>
  withMetadata(object, {
    selfLink: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
