import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { hasInvalidValues, validateLabelSelector, type LabelSelectorOptions } from './label-selector.ts';
import type { LabelSelector } from './types.gen.ts';

const causesOf = (selector: Unchecked<LabelSelector> | undefined, options?: LabelSelectorOptions) =>
  validateLabelSelector(selector, FieldPath.of('spec', 'selector'), options).map(
    ({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field}`,
  );
const expression = (key: string, operator: string, ...values: readonly string[]) => ({ matchExpressions: [{ key, operator, values }] });
const at = (field: string) => `spec.selector.matchExpressions[0].${field}`;

describe('A label selector', () => {
  it.each<[string, Unchecked<LabelSelector> | undefined]>([
    ['absent', undefined],
    ['empty', {}],
    ['of labels', { matchLabels: { 'example.com/app': 'web', empty: '' } }],
    ['In', expression('app', 'In', 'web', '')],
    ['NotIn', expression('app', 'NotIn', 'web', 'web')],
    ['Exists without a list', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }],
    ['DoesNotExist with an empty list', expression('app', 'DoesNotExist')],
  ])('is right: %s', (_, selector) => {
    expect(causesOf(selector)).toEqual([]);
  });

  it.each<[string, Unchecked<LabelSelector>, readonly string[]]>([
    ['a key of matchLabels', { matchLabels: { 'a b': 'x' } }, ['Invalid spec.selector.matchLabels']],
    ['a value of matchLabels', { matchLabels: { a: 'x y' } }, ['Invalid spec.selector.matchLabels']],
    ['an unknown operator', expression('a', 'Gt', '1'), [`Invalid ${at('operator')}`]],
    ['an absent operator', { matchExpressions: [{ key: 'a' }] }, [`Invalid ${at('operator')}`]],
    ['In without values', expression('a', 'In'), [`Required ${at('values')}`]],
    ['NotIn without values', expression('a', 'NotIn'), [`Required ${at('values')}`]],
    ['Exists with values', expression('a', 'Exists', 'x'), [`Forbidden ${at('values')}`]],
    ['DoesNotExist with values', expression('a', 'DoesNotExist', 'x'), [`Forbidden ${at('values')}`]],
    ['a wrong key', expression('a b', 'Exists'), [`Invalid ${at('key')}`]],
    ['an empty key', expression('', 'Exists'), [`Invalid ${at('key')}`, `Invalid ${at('key')}`]],
    ['a wrong value', expression('a', 'In', 'x', 'y z'), [`Invalid ${at('values[1]')}`]],
    [
      'everything at once',
      { matchLabels: { a: 'x y' }, ...expression('a b', 'Exists', 'y z') },
      ['Invalid spec.selector.matchLabels', `Forbidden ${at('values')}`, `Invalid ${at('key')}`, `Invalid ${at('values[0]')}`],
    ],
  ])('is refused: %s', (_, selector, causes) => {
    expect(causesOf(selector)).toEqual(causes);
  });

  it('keeps wrong values where they are allowed, and nothing else', () => {
    const options = { allowInvalidValues: true };
    expect(causesOf(expression('a', 'In', 'y z'), options)).toEqual([]);
    expect(causesOf({ matchLabels: { a: 'x y' }, ...expression('a b', 'In', 'y z') }, options)).toEqual([
      'Invalid spec.selector.matchLabels',
      `Invalid ${at('key')}`,
    ]);
  });

  it('is known to have wrong values by its expressions alone', () => {
    expect(hasInvalidValues(expression('a', 'In', 'y', 'y z'))).toBe(true);
    expect(hasInvalidValues({ matchLabels: { a: 'x y' }, ...expression('a b', 'In', 'y') })).toBe(false);
    expect(hasInvalidValues(undefined)).toBe(false);
  });
});
