/**
 * Serves reviews: a POST responds with a computed object that is not stored. Reviews use the same codecs and
 * negotiation as all objects; `pkg/apis/review.ts` has their semantics.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Review } from '../../apis/review.ts';
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
  readonly clock: Pick<Clock, 'now'>;
}

export function createReviewRouter({ reviews, authorizer, clock }: ReviewRouterOptions): ReviewRouter {
  const toResponse = createReviewResponder();

  const respond = async (context: AuthenticatedContext, served: ServedReview): Promise<ApiResponse> => {
    const { kind: review, fieldManager } = served;
    const output = negotiateOutput(context, 'review');
    const call = { context, resource: served };
    const body = await readBody(call);
    const { fieldValidation, fieldManager: manager } = parseWriteOptions(
      context.query,
      context.request.headers['user-agent'],
      'CreateOptions',
    );
    const sent = withoutSystemMetadata(parseObject(call, body, fieldValidation));
    const { user } = context;
    const nowMs = clock.now();
    const question = fieldManager.update(undefined, sent, { manager, subresource: '', nowMs });
    const answered = await review.answer(question, toRequester(user, authorizer, nowMs));
    return toResponse(served, review.definition, asKind(answered, review.definition), output);
  };

  const handlers = new Map(reviews.map((served) => [pathOf(served.kind.definition), createHandler(served, respond)]));
  return {
    resources: reviews.map(({ kind: { definition } }) => ({
      definition: { ...definition, shortNames: [], categories: [], namespaced: false },
      verbs: ['create'],
      subresources: {},
    })),
    find: (info) => handlers.get(pathOf(info)),
  };
}

const pathOf = ({ group, version, resource }: Pick<ResourceRequest, 'group' | 'version' | 'resource'>) => `${group}/${version}/${resource}`;

const createHandler =
  (served: ServedReview, respond: (context: AuthenticatedContext, served: ServedReview) => Promise<ApiResponse>): ReviewHandler =>
  (context, info) => {
    const { namespace, name, watchPath } = info;
    if (namespace !== '' || name !== '' || watchPath) throw pathNotFound();
    context.resourceExists = true;
    return info.verb === 'create' ? respond(context, served) : Promise.resolve(methodNotAllowed(['POST']));
  };

/** Drops metadata that only the server sets. */
const withoutSystemMetadata = (object: KubernetesObject): KubernetesObject =>
  withMetadata(object, {
    namespace: undefined,
    uid: undefined,
    selfLink: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
