import { describe, expect, it } from '@jest/globals';
import { askedSelectors, selectorErrors } from './asked-selectors.ts';

const FIELDS = 'spec.resourceAttributes.fieldSelector';
const LABELS = 'spec.resourceAttributes.labelSelector';
const IGNORED = 'ignored due to parse error';

describe('Selectors of a question', () => {
  it.each<Parameters<typeof selectorErrors>>([
    [{}],
    [{ fieldSelector: { rawSelector: 'metadata.name=a' }, labelSelector: { rawSelector: 'a in (b,c),!d' } }],
    [{ fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['x'] }] } }],
    [{ fieldSelector: { requirements: [{ key: 'a', operator: 'NotIn', values: ['x'] }] } }],
    [{ labelSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } }],
  ])('are understood: %j', (attributes) => {
    expect(selectorErrors(attributes)).toBe('');
  });

  it.each<[Parameters<typeof selectorErrors>[0], string]>([
    [{ fieldSelector: { rawSelector: 'a' } }, `${FIELDS} ${IGNORED}`],
    [{ labelSelector: { rawSelector: 'a in (b' } }, `${LABELS} ${IGNORED}`],
    [{ fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } }, `${FIELDS} ${IGNORED}`],
    [{ fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] } }, `${FIELDS} ${IGNORED}`],
    [
      {
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['x'] },
            { key: 'a', operator: 'Near' },
          ],
        },
      },
      `${LABELS} partially ${IGNORED}`,
    ],
    [
      { fieldSelector: { rawSelector: '!' }, labelSelector: { requirements: [{ key: 'a', operator: 'Near' }] } },
      `${FIELDS} ${IGNORED}; ${LABELS} ${IGNORED}`,
    ],
  ])('are not: %j', (attributes, errors) => {
    expect(selectorErrors(attributes)).toBe(errors);
  });
});

describe('Selectors that authorizers see', () => {
  it.each<[Parameters<typeof askedSelectors>[0], ReturnType<typeof askedSelectors>]>([
    [{}, { fields: [], labels: [] }],
    [
      { fieldSelector: { rawSelector: 'a=1,b!=2' }, labelSelector: { rawSelector: 'c in (d,e),!f,g>1' } },
      {
        fields: [
          { key: 'a', operator: 'In', values: ['1'] },
          { key: 'b', operator: 'NotIn', values: ['2'] },
        ],
        labels: [
          { key: 'c', operator: 'In', values: ['d', 'e'] },
          { key: 'f', operator: 'DoesNotExist' },
        ],
      },
    ],
    [
      { fieldSelector: { rawSelector: 'a' }, labelSelector: { rawSelector: 'a in (b' } },
      { fields: [], labels: [] },
    ],
    [
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'NotIn', values: ['1'] },
            { key: 'b', operator: 'Exists' },
            { key: 'c', operator: 'In', values: ['1', '2'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['y', 'x'] },
            { key: 'b', operator: 'Exists' },
            { key: 'c', operator: 'Near' },
            { key: 'd', operator: 'In' },
          ],
        },
      },
      {
        fields: [{ key: 'a', operator: 'NotIn', values: ['1'] }],
        labels: [
          { key: 'a', operator: 'In', values: ['x', 'y'] },
          { key: 'b', operator: 'Exists' },
        ],
      },
    ],
  ])('%j', (attributes, selectors) => {
    expect(askedSelectors(attributes)).toEqual(selectors);
  });
});
