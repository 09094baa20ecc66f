import { invalid } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { defineReview, type RequestedAccess, type Review } from '../../../review.ts';
import { createDefinition } from './definition.gen.ts';
import { questionCauses } from './rules.ts';
import { selectorErrors } from './selector-errors.ts';
import { SelfSubjectAccessReviewShape } from './shapes.gen.ts';
import type { SelfSubjectAccessReview, SelfSubjectAccessReviewSpec } from './types.gen.ts';

/** For `kubectl auth can-i`. The answer includes the question. */
export const createReview = (groupSuffix: string): Review => {
  const definition = createDefinition(groupSuffix);
  return defineReview<SelfSubjectAccessReview>({
    definition,
    shape: SelfSubjectAccessReviewShape,
    answer: async (question, { decide }) => {
      const causes = questionCauses(question);
      if (causes.length > 0) throw invalid(definition, '', causes);
      const { spec = {} } = question;
      const { decision, reason } = await decide(toAskedAccess(spec));
      const evaluationError = selectorErrors(spec.resourceAttributes ?? {});
      return {
        ...question,
        status: {
          allowed: decision === 'allow',
          ...(decision === 'deny' ? { denied: true } : {}),
          ...(reason === undefined ? {} : { reason }),
          ...(evaluationError === '' ? {} : { evaluationError }),
        },
      };
    },
  });
};

function toAskedAccess({ resourceAttributes, nonResourceAttributes = {} }: Unchecked<SelfSubjectAccessReviewSpec>): RequestedAccess {
  if (resourceAttributes === undefined) {
    const { path = '', verb = '' } = nonResourceAttributes;
    return { isResource: false, path, verb };
  }
  const { verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = resourceAttributes;
  return { isResource: true, verb, group, version: version === '' ? ANY_VERSION : version, resource, subresource, namespace, name };
}

const ANY_VERSION = '*';
