import { expect } from '@jest/globals';
import { parseFieldSelector } from '../../pkg/apimachinery/selectors/field-selector.ts';
import { labelSelectorAsSelector, type LabelSelectorObject } from '../../pkg/apimachinery/selectors/label-selector-as-selector.ts';
import { parseLabelSelector } from '../../pkg/apimachinery/selectors/label-selector.ts';
import {
  fieldSelectorText,
  labelSelectorText,
  type LabelRequirement,
  type ParsedLabelSelector,
} from '../../pkg/apimachinery/selectors/selector.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { runnerOf } from './vector.ts';

type Values = Readonly<Record<string, string>>;

interface LabelVector {
  readonly selector: string;
  readonly expectedString?: string;
  readonly expectedRequirements?: readonly { readonly key: string; readonly operator: string; readonly valuesSorted: readonly string[] }[];
  readonly expectedMatches?: readonly { readonly labels: Values; readonly matches: boolean }[];
  readonly expectError?: boolean;
}
interface LabelObjectVector extends Pick<LabelVector, 'expectedString' | 'expectedMatches'> {
  readonly selector: LabelSelectorObject | null;
  readonly expectedValid: boolean;
}
interface FieldVector extends Pick<LabelVector, 'selector' | 'expectError'> {
  readonly expectedRequirements?: unknown;
  readonly expectedMatches?: readonly { readonly fields: Values; readonly matches: boolean }[];
}

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

export const labelSelector = runnerOf<LabelVector>(
  ({ selector: text, expectedString, expectedRequirements, expectedMatches, expectError }) => {
    if (expectError === true) {
      expectRefused(() => parseLabelSelector(text));
      return;
    }
    const selector = parseLabelSelector(text);
    expect(labelSelectorText(selector)).toBe(expectedString);
    const requirements = selector.requirements.map(({ key, spelling, values }) => ({
      key,
      operator: SPELLED[spelling],
      valuesSorted: values,
    }));
    expect(requirements).toEqual(expectedRequirements);
    expectMatches(selector, expectedMatches);
  },
);

export const labelSelectorObject = runnerOf<LabelObjectVector>(({ selector: object, expectedValid, expectedString, expectedMatches }) => {
  const { selector, causes } = labelSelectorAsSelector(object);
  expect(causes === undefined).toBe(expectedValid);
  if (selector === undefined) return;
  expect(labelSelectorText(selector)).toBe(expectedString);
  expectMatches(selector, expectedMatches);
});

export const fieldSelector = runnerOf<FieldVector>(({ selector: text, expectedRequirements, expectedMatches, expectError }) => {
  if (expectError === true) {
    expectRefused(() => parseFieldSelector(text));
    return;
  }
  const selector = parseFieldSelector(text);
  expect(selector.requirements).toEqual(expectedRequirements);
  expect(parseFieldSelector(fieldSelectorText(selector)).requirements).toEqual(selector.requirements);
  const shown = (expectedMatches ?? []).map(({ fields }) => ({ fields, matches: selector.matches((field) => fields[field] ?? '') }));
  expect(shown).toEqual(expectedMatches);
});

function expectMatches(selector: ParsedLabelSelector, expected: LabelVector['expectedMatches']): void {
  expect((expected ?? []).map(({ labels }) => ({ labels, matches: selector.matches(labels) }))).toEqual(expected);
}

export function expectRefused(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error.reason).toBe('BadRequest');
    return;
  }
  throw new Error('The selector was not refused.');
}
