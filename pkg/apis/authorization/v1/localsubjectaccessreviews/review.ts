import { invalidValue, invalidWhole, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { badRequest, invalid, type StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { defineReview, type Review } from '../../../review.ts';
import { toAccessStatus, toAskedAccess, toAskedUser } from '../access-question.ts';
import { isEmpty, subjectQuestionCauses } from '../access-question-rules.ts';
import { createDefinition } from './definition.gen.ts';
import { LocalSubjectAccessReviewShape } from './shapes.gen.ts';
import type { LocalSubjectAccessReview } from './types.gen.ts';

/** The same for a namespace, whose admins may ask. */
export const createReview = (groupSuffix: string): Review => {
  const definition = createDefinition(groupSuffix);
  return defineReview<LocalSubjectAccessReview>({
    definition,
    shape: LocalSubjectAccessReviewShape,
    answer: async (question, { decideFor, target }) => {
      const { spec = {}, metadata = {} } = question;
      if (metadata.namespace !== target.namespace)
        throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
      const causes = causesOf(question);
      if (causes.length > 0) throw invalid(definition, '', causes);
      return { ...question, status: toAccessStatus(await decideFor(toAskedUser(spec), toAskedAccess(spec)), spec) };
    },
  });
};

function causesOf({ spec = {}, metadata = {} }: Unchecked<LocalSubjectAccessReview>): readonly StatusCause[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const { namespace = '', ...others } = metadata;
  const asked = resourceAttributes?.namespace ?? '';
  return [
    ...subjectQuestionCauses(spec),
    ...(isEmpty(others) ? NO_CAUSES : [invalidWhole('metadata', 'must be empty except for namespace')]),
    ...(resourceAttributes === undefined || asked === namespace
      ? NO_CAUSES
      : [invalidValue('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]),
    ...(nonResourceAttributes === undefined
      ? NO_CAUSES
      : [invalidWhole('spec.nonResourceAttributes', 'disallowed on this kind of request')]),
  ];
}
