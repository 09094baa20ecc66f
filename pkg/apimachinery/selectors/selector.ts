/**
 * What a list or a watch selects by labels and by fields, parsed. Parsing is in `label-selector.ts`, `field-selector.ts` and
 * `label-selector-object.ts`; whoever holds one of these may trust it.
 */
import { compareByBytes } from '../json/write-json.ts';

/** All requirements must hold. None: everything is selected. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Selects nothing, whatever the requirements: an absent LabelSelector object. */
  readonly nothing?: boolean;
  /** `labels` absent: no labels. Own members only, so a label named `__proto__` is a label like any other. */
  matches(labels: Labels): boolean;
}

type Labels = Readonly<Record<string, string>> | undefined;

export interface LabelRequirement {
  readonly key: string;
  /**
   * `in`: the label is there and has one of the values. `notIn`: it is absent or has none of them. `greaterThan`, `lessThan`: it is there
   * and an integer above or below the one value.
   */
  readonly operator: 'in' | 'notIn' | 'exists' | 'doesNotExist' | 'greaterThan' | 'lessThan';
  /** Sorted, each once; integers of 64 bits for `greaterThan` and `lessThan`. */
  readonly values: readonly string[];
  /** How the operator was written. */
  readonly spelling: '=' | '==' | 'in' | '!=' | 'notin' | '' | '!' | '>' | '<';
}

export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** A field that an object does not have counts as empty. */
  matches(valueOf: (field: string) => string): boolean;
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Requirements in the order of their keys; those of one key keep their order. */
export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = [...requirements].sort((a, b) => compareByBytes(a.key, b.key));
  const tests = sorted.map(toTest);
  return { requirements: sorted, matches: (labels) => tests.every((meets) => meets(labels)) };
}

export const SELECTS_NOTHING: LabelSelector = { requirements: [], nothing: true, matches: () => false };

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

/** A requirement that an index of values answers: the key has one of `values`. */
export interface IndexableRequirement {
  readonly key: string;
  /** Each once, at least one. */
  readonly values: readonly string[];
}

/** The requirements that name values, those with the fewest values first. An object that matches the selector meets all of them. */
export const indexableLabels = ({ requirements }: LabelSelector): readonly IndexableRequirement[] =>
  requirements
    .filter((requirement) => requirement.operator === 'in')
    .map(({ key, values }) => ({ key, values }))
    .sort((a, b) => a.values.length - b.values.length);

/** The same for fields. An empty value is left out: an absent field matches it too. */
export const indexableFields = ({ requirements }: FieldSelector): readonly IndexableRequirement[] =>
  requirements
    .filter(({ operator, value }) => operator === '=' && value !== '')
    .map(({ field, value }) => ({ key: field, values: [value] }));

const INT64 = /^[+-]?[0-9]{1,19}$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** As Go's strconv reads it; undefined when it is no integer of 64 bits. */
export function parseInt64(text: string): bigint | undefined {
  // A label value has at most 63 characters, so leading zeros are cut without cost.
  const digits = text.replace(/^([+-]?)0+(?=[0-9])/, '$1');
  if (!INT64.test(digits)) return undefined;
  const value = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}

/** The canonical text: requirements by key, values sorted. */
export const labelSelectorText = ({ requirements }: LabelSelector): string => requirements.map(requirementText).join(',');

function requirementText({ key, values, spelling }: LabelRequirement): string {
  if (spelling === 'in' || spelling === 'notin') return `${key} ${spelling} (${values.join(',')})`;
  return spelling === '!' ? `!${key}` : `${key}${spelling}${values.join(',')}`;
}

export const fieldSelectorText = ({ requirements }: FieldSelector): string =>
  requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');

/** In a field selector's text, `\`, `,` and `=` of a value stand behind a backslash. */
const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
