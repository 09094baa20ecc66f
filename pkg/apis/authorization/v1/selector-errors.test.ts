import { describe, expect, it } from '@jest/globals';
import { selectorErrors } from './selector-errors.ts';

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
