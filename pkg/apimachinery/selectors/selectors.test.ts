import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatusError } from '../status/status-error.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { indexableFields, indexableLabels, labelSelectorText } from './selector.ts';

const refusal = (run: () => unknown): StatusError => {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('not refused');
};

describe('parseLabelSelector', () => {
  it.each([
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a=1,', "found '', expected: identifier after ','"],
    ['a in 1', "unable to parse requirement: found '1' expected: '('"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
  ])('reports the error in %s', (text, message) => {
    expect(refusal(() => parseLabelSelector(text)).message).toBe(message);
  });

  it('accepts empty values in a set', () => {
    expect(parseLabelSelector('a in (),b in (,x),c notin (y,)').requirements.map(({ values }) => values)).toEqual([
      [''],
      ['', 'x'],
      ['', 'y'],
    ]);
  });

  it('ignores members of Object.prototype', () => {
    expect(parseLabelSelector('constructor').matches({})).toBe(false);
  });

  it('returns requirements for an index, those with the fewest values first', () => {
    expect(indexableLabels(parseLabelSelector('a in (1,2),b=3,c!=4,d'))).toEqual([
      { key: 'b', values: ['3'] },
      { key: 'a', values: ['1', '2'] },
    ]);
  });

  it('throws only StatusErrors', () => {
    const piece = fc.constantFrom('a', 'in', 'notin', '(', ')', ',', '=', '!', '<', '>', '1', ' ', '\0', 'é', '/', '-', 'x.y/z');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          parseLabelSelector(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
    );
  });

  it('round-trips', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    const requirement = fc.oneof(
      word,
      word.map((key) => `!${key}`),
      fc.tuple(word, fc.constantFrom('=', '==', '!='), word).map((parts) => parts.join('')),
      fc
        .tuple(word, fc.constantFrom('in', 'notin'), fc.array(word, { minLength: 1 }))
        .map(([key, operator, values]) => `${key} ${operator} (${values.join(',')})`),
      fc.tuple(word, fc.constantFrom('<', '>'), fc.nat()).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const selector = parseLabelSelector(requirements.join(','));
        expect(parseLabelSelector(labelSelectorText(selector)).requirements).toEqual(selector.requirements);
      }),
    );
  });
});

describe('parseFieldSelector', () => {
  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b=c', 'invalid field selector: unescaped character in value: ='],
  ])('reports the error in %s', (text, message) => {
    expect(refusal(() => parseFieldSelector(text)).message).toBe(message);
  });

  it.each([
    ['=', []],
    ['!=,a=b,==', [{ field: 'a', operator: '=', value: 'b' }]],
    ['=b', [{ field: '', operator: '=', value: 'b' }]],
  ])('ignores terms without a name and a value: %s', (text, requirements) => {
    expect(parseFieldSelector(text).requirements).toEqual(requirements);
  });

  it('excludes empty values from the index', () => {
    expect(indexableFields(parseFieldSelector('a=,b=1,c!=2'))).toEqual([{ key: 'b', values: ['1'] }]);
  });
});
