import { describe, expect, it } from '@jest/globals';
import { selfQuestionCauses, subjectQuestionCauses } from './access-question-rules.ts';

interface Question {
  readonly metadata?: object;
  readonly spec?: Parameters<typeof selfQuestionCauses>[0];
}
const causesOf = (question: Question) =>
  selfQuestionCauses(question.spec ?? {}, question.metadata ?? {}).map(
    ({ reason, field = '', message }) => `${reason} ${field}: ${message}`,
  );
const selecting = (resourceAttributes: NonNullable<Question['spec']>['resourceAttributes']): Question => ({
  spec: { resourceAttributes: { ...resourceAttributes } },
});
const AT = 'spec.resourceAttributes';

describe('A question about access', () => {
  it.each<Question>([
    { spec: { resourceAttributes: {} } },
    { spec: { nonResourceAttributes: {} } },
    { metadata: {}, spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } },
    // Zero values in Go, and managedFields, which the server adds.
    {
      metadata: { name: '', labels: {}, generation: 0, finalizers: [], managedFields: [{ manager: 'kubectl' }] },
      spec: { resourceAttributes: {} },
    },
    selecting({ fieldSelector: { rawSelector: 'not a selector' }, labelSelector: { rawSelector: '(' } }),
    selecting({ fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] } }),
    // An operator of a newer client.
    selecting({
      fieldSelector: { requirements: [{ key: 'a', operator: 'Near' }] },
      labelSelector: { requirements: [{ key: 'a', operator: 'Near', values: ['x'] }] },
    }),
  ])('is taken: %j', (question) => {
    expect(causesOf(question)).toEqual([]);
  });

  it.each<[Question, string[]]>([
    [{}, [`FieldValueInvalid ${AT}: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`]],
    [
      { spec: { resourceAttributes: {}, nonResourceAttributes: {} } },
      ['FieldValueInvalid spec.nonResourceAttributes: Invalid value: cannot be specified in combination with resourceAttributes'],
    ],
    [{ metadata: { name: 'x' }, spec: { resourceAttributes: {} } }, ['FieldValueInvalid metadata: Invalid value: must be empty']],
    [
      { metadata: { resourceVersion: '5' }, spec: {} },
      [
        `FieldValueInvalid ${AT}: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
        'FieldValueInvalid metadata: Invalid value: must be empty',
      ],
    ],
    [
      selecting({ fieldSelector: {}, labelSelector: { requirements: [] } }),
      [
        `FieldValueRequired ${AT}.fieldSelector.requirements: Required value: when ${AT}.fieldSelector is specified, requirements or rawSelector is required`,
        `FieldValueRequired ${AT}.labelSelector.requirements: Required value: when ${AT}.labelSelector is specified, requirements or rawSelector is required`,
      ],
    ],
    [
      selecting({ fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In' }] } }),
      [
        `FieldValueInvalid ${AT}.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
        `FieldValueRequired ${AT}.fieldSelector.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
    ],
    [
      selecting({ fieldSelector: { requirements: [{}, { key: 'a', operator: 'Exists', values: ['x'] }] } }),
      [
        `FieldValueRequired ${AT}.fieldSelector.requirements[0].key: Required value: must be specified`,
        `FieldValueForbidden ${AT}.fieldSelector.requirements[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      ],
    ],
  ])('is refused: %j', (question, causes) => {
    expect(causesOf(question)).toEqual(causes);
  });

  it('names keys and values of labels that cannot be any', () => {
    const requirements = [{ key: '-a', operator: 'In', values: ['a', '/'] }];
    const causes = selfQuestionCauses(selecting({ labelSelector: { requirements } }).spec ?? {}, {});
    expect(causes.map(({ reason, field }) => [reason, field])).toEqual([
      ['FieldValueInvalid', `${AT}.labelSelector.requirements[0].key`],
      ['FieldValueInvalid', `${AT}.labelSelector.requirements[0].values[1]`],
    ]);
  });
});

describe('A question about the access of somebody else', () => {
  const attributes = { resourceAttributes: { verb: 'get', resource: 'jobs' } };

  it('names a user, or groups', () => {
    expect(subjectQuestionCauses({ ...attributes, user: 'jane' })).toEqual([]);
    expect(subjectQuestionCauses({ ...attributes, groups: ['dev'] })).toEqual([]);
    expect(subjectQuestionCauses(attributes)).toMatchObject([
      { field: 'spec.user', message: 'Invalid value: "": at least one of user or group must be specified' },
    ]);
  });
});
