/** What the reviews of access have in common: the access that is asked about, and the answer. */
import type { Unchecked } from '../../define-strategy.ts';
import type { AccessAnswer, RequestedAccess, Requester } from '../../review.ts';
import { selectorErrors } from './selector-errors.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './types.gen.ts';

type Question = Pick<Unchecked<SubjectAccessReviewSpec>, 'resourceAttributes' | 'nonResourceAttributes'>;

const ANY_VERSION = '*';

export function toAskedAccess({ resourceAttributes, nonResourceAttributes = {} }: Question): RequestedAccess {
  if (resourceAttributes === undefined) {
    const { path = '', verb = '' } = nonResourceAttributes;
    return { isResource: false, path, verb };
  }
  const { verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = resourceAttributes;
  return { isResource: true, verb, group, version: version === '' ? ANY_VERSION : version, resource, subresource, namespace, name };
}

export function toAccessStatus({ decision, reason }: AccessAnswer, { resourceAttributes = {} }: Question): SubjectAccessReviewStatus {
  const evaluationError = selectorErrors(resourceAttributes);
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}

export const toAskedUser = ({ user = '', groups = [], extra = {}, uid = '' }: Unchecked<SubjectAccessReviewSpec>): Requester['user'] => ({
  name: user,
  groups,
  extra,
  ...(uid === '' ? {} : { uid }),
});
