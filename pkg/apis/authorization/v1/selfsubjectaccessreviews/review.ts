import { invalid } from '../../../../apimachinery/status/status-error.ts';
import { defineReview, type Review } from '../../../review.ts';
import { toAccessStatus, toAskedAccess } from '../access-question.ts';
import { selfQuestionCauses } from '../access-question-rules.ts';
import { createDefinition } from './definition.gen.ts';
import { SelfSubjectAccessReviewShape } from './shapes.gen.ts';
import type { SelfSubjectAccessReview } from './types.gen.ts';

/** For `kubectl auth can-i`. The answer includes the question. */
export const createReview = (groupSuffix: string): Review => {
  const definition = createDefinition(groupSuffix);
  return defineReview<SelfSubjectAccessReview>({
    definition,
    shape: SelfSubjectAccessReviewShape,
    answer: async (question, { decide }) => {
      const { spec = {}, metadata = {} } = question;
      const causes = selfQuestionCauses(spec, metadata);
      if (causes.length > 0) throw invalid(definition, '', causes);
      return { ...question, status: toAccessStatus(await decide(toAskedAccess(spec)), spec) };
    },
  });
};
