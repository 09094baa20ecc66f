/** What the reviews of access have in common: the access that is asked about, and the answer. */
import type { Unchecked } from '../../define-strategy.ts';
import type { AccessAnswer, RequestedAccess, Requester } from '../../review.ts';
import { askedSelectors, selectorErrors } from './asked-selectors.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './types.gen.ts';

type Question = Pick<Unchecked<SubjectAccessReviewSpec>, 'resourceAttributes' | 'nonResourceAttributes'>;

const ANY_VERSION = '*';

export function toAskedAccess({ resourceAttributes, nonResourceAttributes = {} }: Question): RequestedAccess {
  if (resourceAttributes === undefined) {
    const { path = '', verb = '' } = nonResourceAttributes;
    return { isResource: false, path, verb };
  }
  const { verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = resourceAttributes;
  const { fieldSelector, labelSelector } = resourceAttributes;
  return {
    isResource: true,
    verb,
    group,
    version: version === '' ? ANY_VERSION : version,
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector === undefined && labelSelector === undefined ? {} : { selectors: () => askedSelectors(resourceAttributes) }),
  };
}

export function toAccessStatus(
  { decision, reason, error }: AccessAnswer,
  { resourceAttributes = {} }: Question,
): SubjectAccessReviewStatus {
  const evaluationError = [error ?? '', selectorErrors(resourceAttributes)].filter((text) => text !== '').join('; ');
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
