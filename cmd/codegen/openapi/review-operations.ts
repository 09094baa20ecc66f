/** The only operation of a review: POST to its only path. */
import type { ReviewFacts } from '../facts.ts';
import { ANY, OBJECT, capitalised, groupWordOf, pathOfVersion } from './operations.ts';
import type { PathOperations } from './operations.ts';
import { WRITE, parametersOfPath } from './parameters.ts';

export function pathsOfReview(review: ReviewFacts, groupOf: (group: string) => string): readonly PathOperations[] {
  const { kind, version, plural, model, parent } = review;
  const gvk = { group: groupOf(review.group), version, kind };
  const { group, version: pathVersion } = parent ?? review;
  const word = groupWordOf(group);
  const base = `/${pathOfVersion({ group: groupOf(group), version: pathVersion })}`;
  const own = review.namespaced ? `${base}/namespaces/{namespace}/${plural}` : `${base}/${plural}`;
  const path = parent === undefined ? own : `${base}/namespaces/{namespace}/${parent.plural}/{name}/${parent.subresource}`;
  return [
    {
      path,
      parameters: [...WRITE, ...parametersOfPath(path, kind)],
      operations: {
        post: {
          id: parent?.operation ?? `create${capitalised(word)}${capitalised(version)}${review.namespaced ? 'Namespaced' : ''}${kind}`,
          description: `Answers a ${kind}. Nothing is stored.`,
          tag: `${word}_${pathVersion}`,
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
