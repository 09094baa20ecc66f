import { invalidWhole, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { invalid } from '../../../../apimachinery/status/status-error.ts';
import { defineReview, type Review } from '../../../review.ts';
import { toAccessStatus, toAskedAccess, toAskedUser } from '../access-question.ts';
import { isEmpty, subjectQuestionCauses } from '../access-question-rules.ts';
import { createDefinition } from './definition.gen.ts';
import { SubjectAccessReviewShape } from './shapes.gen.ts';
import type { SubjectAccessReview } from './types.gen.ts';

/** For servers that ask what their own clients may do. The answer includes the question. */
export const createReview = (groupSuffix: string): Review => {
  const definition = createDefinition(groupSuffix);
  return defineReview<SubjectAccessReview>({
    definition,
    shape: SubjectAccessReviewShape,
    answer: async (question, { decideFor }) => {
      const { spec = {}, metadata = {} } = question;
      const causes = [...subjectQuestionCauses(spec), ...(isEmpty(metadata) ? NO_CAUSES : [invalidWhole('metadata', 'must be empty')])];
      if (causes.length > 0) throw invalid(definition, '', causes);
      return { ...question, status: toAccessStatus(await decideFor(toAskedUser(spec), toAskedAccess(spec)), spec) };
    },
  });
};
