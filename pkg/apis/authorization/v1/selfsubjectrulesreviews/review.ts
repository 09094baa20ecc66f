import { badRequest } from '../../../../apimachinery/status/status-error.ts';
import { defineReview, type Review } from '../../../review.ts';
import { createDefinition } from './definition.gen.ts';
import { SelfSubjectRulesReviewShape } from './shapes.gen.ts';
import type { SelfSubjectRulesReview } from './types.gen.ts';

/** For `kubectl auth can-i --list`. As in Kubernetes, the answer does not include the spec. */
export const createReview = (groupSuffix: string): Review =>
  defineReview<SelfSubjectRulesReview>({
    definition: createDefinition(groupSuffix),
    shape: SelfSubjectRulesReviewShape,
    answer: async ({ spec: { namespace = '' } = {} }, { rulesIn }) => {
      if (namespace === '') throw badRequest('no namespace on request');
      return { metadata: {}, spec: {}, status: await rulesIn(namespace) };
    },
  });
