import { badRequest } from '../../../../apimachinery/status/status-error.ts';
import { defineReview, type Review, type TokenVerdict } from '../../../review.ts';
import { createDefinition } from './definition.gen.ts';
import { TokenReviewShape } from './shapes.gen.ts';
import type { TokenReview } from './types.gen.ts';

/** For servers that get a token from a client and want to know whose it is. */
export const createReview = (groupSuffix: string): Review =>
  defineReview<TokenReview>({
    definition: createDefinition(groupSuffix),
    shape: TokenReviewShape,
    answer: async ({ metadata = {}, spec = {} }, { tokens }) => {
      const { token = '', audiences = [] } = spec;
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      const verdict = await tokens.review(token, audiences.length === 0 ? tokens.audiences : audiences);
      return { metadata, spec, status: statusOf(verdict) };
    },
  });

function statusOf(verdict: TokenVerdict) {
  if (!('user' in verdict)) return { user: {}, ...(verdict.error === undefined ? {} : { error: verdict.error }) };
  const { name: username, uid, groups, extra } = verdict.user;
  return {
    authenticated: true,
    user: { username, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) },
    audiences: verdict.audiences,
  };
}
