import { toRfc3339Seconds } from '../../../../apimachinery/time/rfc3339.ts';
import { defineReview, type Review } from '../../../review.ts';
import { createDefinition } from './definition.gen.ts';
import { SelfSubjectReviewShape } from './shapes.gen.ts';
import type { SelfSubjectReview } from './types.gen.ts';

/** For `kubectl auth whoami`. The request body is ignored and not returned. */
export const createReview = (groupSuffix: string): Review =>
  defineReview<SelfSubjectReview>({
    definition: createDefinition(groupSuffix),
    shape: SelfSubjectReviewShape,
    answer: (_question, { user: { name, uid, groups, extra }, nowMs }) => ({
      metadata: { creationTimestamp: toRfc3339Seconds(nowMs) },
      status: {
        userInfo: { username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) },
      },
    }),
  });
