/** Causes in Kubernetes' words: what is wrong, the value that is wrong, and why. `field` is the path as it is shown. */
import type { StatusCause } from './status-error.ts';

type ShownValue = string | number | bigint | boolean | null;

/** The longest list of causes that one list in an object brings about: a body of 3 MB could ask for a million, in seconds and 100 MB. */
const MAX_CAUSES = 1000;

/** What is wrong with each element, until there are so many causes that nobody reads on. */
export function causesOfEach<T>(elements: Iterable<T>, causesOf: (element: T, index: number) => readonly StatusCause[]): StatusCause[] {
  const causes: StatusCause[] = [];
  let index = 0;
  for (const element of elements) {
    if (causes.length >= MAX_CAUSES) break;
    causes.push(...causesOf(element, index++));
  }
  return causes;
}

const withDetail = (text: string, detail: string) => (detail === '' ? text : `${text}: ${detail}`);
const show = (value: ShownValue): string => (typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : String(value));

export const required = (field: string, detail = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field,
});

export const invalidValue = (field: string, value: ShownValue, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${show(value)}`, detail),
  field,
});

export const notSupported = (field: string, value: ShownValue, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: withDetail(`Unsupported value: ${show(value)}`, `supported values: ${supported.map(show).join(', ')}`),
  field,
});

export const duplicateValue = (field: string, value: ShownValue): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${show(value)}`,
  field,
});

export const forbidden = (field: string, detail: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
  field,
});

/** The value itself is left out: it is long. */
export const tooLong = (field: string, maxBytes: number): StatusCause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${maxBytes} bytes`,
  field,
});

export const tooMany = (field: string, count: number, max: number): StatusCause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${max} items`,
  field,
});
