/** The only operation of a review: POST to its only path. */
import type { ReviewFacts } from '../facts.ts';
import { ANY, OBJECT, capitalised, groupWordOf } from './operations.ts';
import type { PathOperations } from './operations.ts';
import { WRITE, parametersOfPath } from './parameters.ts';

export function pathsOfReview(review: ReviewFacts, groupOf: (group: string) => string): readonly PathOperations[] {
  const { kind, version, plural, model } = review;
  const gvk = { group: groupOf(review.group), version, kind };
  const word = groupWordOf(review.group);
  const path = `/apis/${gvk.group}/${version}/${plural}`;
  return [
    {
      path,
      parameters: [...WRITE, ...parametersOfPath(path, kind)],
      operations: {
        post: {
          id: `create${capitalised(word)}${capitalised(version)}${kind}`,
          description: `Answers a ${kind}. Nothing is stored.`,
          tag: `${word}_${version}`,
          action: 'post',
          gvk,
          parameters: [],
          body: { required: true, mediaTypes: ANY, model },
          produces: OBJECT,
          answers: { 200: model, 201: model, 202: model },
        },
      },
    },
  ];
}
