import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatusError } from '../status/status-error.ts';
import { parseFieldSelector } from './field-selector.ts';
import { readLabelSelector, type LabelSelectorObject } from './label-selector-object.ts';
import { parseLabelSelector } from './label-selector.ts';
import {
  fieldSelectorText,
  indexableFields,
  indexableLabels,
  labelSelectorText,
  type LabelRequirement,
  type LabelSelector,
} from './selector.ts';

interface Vector {
  readonly name: string;
  readonly selector: string;
  readonly expectError?: boolean;
  readonly expectedString: string;
  readonly expectedRequirements: readonly { readonly key: string; readonly operator: string; readonly valuesSorted: readonly string[] }[];
  readonly expectedMatches: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly fields: Readonly<Record<string, string>>;
    readonly matches: boolean;
  }[];
}
interface ObjectVector extends Omit<Vector, 'selector'> {
  readonly selector: LabelSelectorObject | null;
  readonly expectedValid: boolean;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../../test/vectors/${name}.json`, import.meta.url), 'utf8'));

const SPELLED: Readonly<Record<LabelRequirement['spelling'], string>> = {
  '': 'exists',
  '!': '!',
  '>': 'gt',
  '<': 'lt',
  '=': '=',
  '==': '==',
  '!=': '!=',
  in: 'in',
  notin: 'notin',
};

const expectMatches = (selector: LabelSelector, vector: Pick<Vector, 'expectedMatches'>) => {
  for (const { labels, matches } of vector.expectedMatches)
    expect({ labels, matches: selector.matches(labels) }).toEqual({ labels, matches });
};

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
  for (const vector of read('label-selector') as readonly Vector[]) {
    it(vector.name, () => {
      if (vector.expectError === true) {
        expect(refusal(() => parseLabelSelector(vector.selector)).reason).toBe('BadRequest');
        return;
      }
      const selector = parseLabelSelector(vector.selector);
      expect(labelSelectorText(selector)).toBe(vector.expectedString);
      const requirements = selector.requirements.map(({ key, spelling, values }) => ({
        key,
        operator: SPELLED[spelling],
        valuesSorted: values,
      }));
      expect(requirements).toEqual(vector.expectedRequirements);
      expectMatches(selector, vector);
    });
  }

  it.each([
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a=1,', "found '', expected: identifier after ','"],
    ['a in 1', "unable to parse requirement: found '1' expected: '('"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
  ])('says what is wrong with %s', (text, message) => {
    expect(refusal(() => parseLabelSelector(text)).message).toBe(message);
  });

  it('takes empty values in a set', () => {
    expect(parseLabelSelector('a in (),b in (,x),c notin (y,)').requirements.map(({ values }) => values)).toEqual([
      [''],
      ['', 'x'],
      ['', 'y'],
    ]);
  });

  it('knows no label from a prototype', () => {
    expect(parseLabelSelector('constructor').matches({})).toBe(false);
  });

  it('names what an index can answer, the narrowest first', () => {
    expect(indexableLabels(parseLabelSelector('a in (1,2),b=3,c!=4,d'))).toEqual([
      { key: 'b', values: ['3'] },
      { key: 'a', values: ['1', '2'] },
    ]);
  });

  it('throws nothing but a StatusError', () => {
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

  it('reads back what it writes', () => {
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

describe('readLabelSelector', () => {
  for (const vector of read('label-selector-object') as readonly ObjectVector[]) {
    it(vector.name, () => {
      const { selector, causes } = readLabelSelector(vector.selector);
      expect(causes === undefined).toBe(vector.expectedValid);
      if (selector === undefined) return;
      expect(labelSelectorText(selector)).toBe(vector.expectedString);
      expectMatches(selector, vector);
    });
  }
});

describe('parseFieldSelector', () => {
  for (const vector of read('field-selector') as readonly Vector[]) {
    it(vector.name, () => {
      if (vector.expectError === true) {
        expect(refusal(() => parseFieldSelector(vector.selector)).reason).toBe('BadRequest');
        return;
      }
      const selector = parseFieldSelector(vector.selector);
      expect(selector.requirements).toEqual(vector.expectedRequirements);
      expect(parseFieldSelector(fieldSelectorText(selector)).requirements).toEqual(selector.requirements);
      for (const { fields, matches } of vector.expectedMatches) expect(selector.matches((field) => fields[field] ?? '')).toBe(matches);
    });
  }

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b=c', 'invalid field selector: unescaped character in value: ='],
  ])('says what is wrong with %s', (text, message) => {
    expect(refusal(() => parseFieldSelector(text)).message).toBe(message);
  });

  it('leaves empty values to the scan', () => {
    expect(indexableFields(parseFieldSelector('a=,b=1,c!=2'))).toEqual([{ key: 'b', values: ['1'] }]);
  });
});
