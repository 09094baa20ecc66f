/** Parsed label and field selectors, valid by construction. See the other files of this folder for the parsers. */
import { compareByBytes } from '../json/write-json.ts';

/** All requirements must match. Without requirements, everything is selected. */
export interface ParsedLabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Selects nothing, whatever the requirements: an absent LabelSelector object. */
  readonly selectsNothing?: boolean;
  /** `undefined` means no labels. Only own members count, so `__proto__` is an ordinary label. */
  matches(labels: Labels): boolean;
}

type Labels = Readonly<Record<string, string>> | undefined;

export interface LabelRequirement {
  readonly key: string;
  /**
   * `in`: the label is present and has one of the values. `notIn`: it is absent or has none of them. `greaterThan`,
   * `lessThan`: it is present and an integer above or below the single value.
   */
  readonly operator: 'in' | 'notIn' | 'exists' | 'doesNotExist' | 'greaterThan' | 'lessThan';
  /** Sorted and unique; 64-bit integers for `greaterThan` and `lessThan`. */
  readonly values: readonly string[];
  /** The operator as written. */
  readonly spelling: '=' | '==' | 'in' | '!=' | 'notin' | '' | '!' | '>' | '<';
}

export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** A missing field counts as empty. */
  matches(valueOf: (field: string) => string): boolean;
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Sorts the requirements by key; the sort is stable. */
export function createLabelSelector(requirements: readonly LabelRequirement[]): ParsedLabelSelector {
  const sorted = [...requirements].sort((a, b) => compareByBytes(a.key, b.key));
  const tests = sorted.map(toTest);
  return { requirements: sorted, matches: (labels) => tests.every((meets) => meets(labels)) };
}

export const SELECTS_NOTHING: ParsedLabelSelector = { requirements: [], selectsNothing: true, matches: () => false };

export const createFieldSelector = (requirements: readonly FieldRequirement[]): FieldSelector => ({
  requirements,
  matches: (valueOf) => requirements.every(({ field, operator, value }) => (valueOf(field) === value) === (operator === '=')),
});

function toTest({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values;
  switch (operator) {
    case 'in': {
      if (values.length === 1) return (labels) => valueOf(labels, key) === first;
      const set = new Set<string | undefined>(values);
      return (labels) => set.has(valueOf(labels, key));
    }
    case 'notIn': {
      const set = new Set<string | undefined>(values);
      return (labels) => !set.has(valueOf(labels, key));
    }
    case 'exists':
      return (labels) => valueOf(labels, key) !== undefined;
    case 'doesNotExist':
      return (labels) => valueOf(labels, key) === undefined;
    case 'greaterThan':
    case 'lessThan': {
      const bound = parseInt64(first);
      return (labels) => {
        const value = parseInt64(valueOf(labels, key) ?? '');
        if (value === undefined || bound === undefined) return false;
        return operator === 'greaterThan' ? value > bound : value < bound;
      };
    }
  }
}

const valueOf = (labels: Labels, key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;

/** A requirement that an index can answer: the key has one of `values`. */
export interface IndexableRequirement {
  readonly key: string;
  /** Unique and not empty. */
  readonly values: readonly string[];
}

/** The requirements with values, fewest values first. Every selected object meets all of them. */
export const indexableLabels = ({ requirements }: ParsedLabelSelector): readonly IndexableRequirement[] =>
  requirements
    .filter((requirement) => requirement.operator === 'in')
    .map(({ key, values }) => ({ key, values }))
    .sort((a, b) => a.values.length - b.values.length);

/** The same for fields. Empty values are omitted, since absent fields match them too. */
export const indexableFields = ({ requirements }: FieldSelector): readonly IndexableRequirement[] =>
  requirements
    .filter(({ operator, value }) => operator === '=' && value !== '')
    .map(({ field, value }) => ({ key: field, values: [value] }));

const INT64 = /^[+-]?[0-9]{1,19}$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** As Go's strconv parses it; undefined if it is not a 64-bit integer. */
export function parseInt64(text: string): bigint | undefined {
  // A label value has at most 63 characters, so removing leading zeros is cheap.
  const digits = text.replace(/^([+-]?)0+(?=[0-9])/, '$1');
  if (!INT64.test(digits)) return undefined;
  const value = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}

/** The canonical text: requirements sorted by key, with sorted values. */
export const labelSelectorText = ({ requirements }: ParsedLabelSelector): string => requirements.map(requirementText).join(',');

function requirementText({ key, values, spelling }: LabelRequirement): string {
  if (spelling === 'in' || spelling === 'notin') return `${key} ${spelling} (${values.join(',')})`;
  return spelling === '!' ? `!${key}` : `${key}${spelling}${values.join(',')}`;
}

export const fieldSelectorText = ({ requirements }: FieldSelector): string =>
  requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');

/** In field selectors `\`, `,` and `=` in values are escaped by a backslash. */
const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
