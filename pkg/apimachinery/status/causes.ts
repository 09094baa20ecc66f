/** Causes in Kubernetes' words: what is wrong, the value that is wrong, and why. */
import type { FieldPath } from './field-path.ts';
import type { StatusCause } from './status-error.ts';

/** Text is the path as it is shown. */
type Field = string | FieldPath;

type ShownValue = string | number | bigint | boolean | null;

/** Nothing is wrong. */
export const NO_CAUSES: readonly StatusCause[] = [];

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

/** The same for a list that may be absent, with the path of each element. */
export const causesOfElements = <T>(
  path: FieldPath,
  elements: readonly T[] | undefined,
  causesOf: (element: T, path: FieldPath) => readonly StatusCause[],
): readonly StatusCause[] =>
  elements === undefined ? NO_CAUSES : causesOfEach(elements, (element, index) => causesOf(element, path.index(index)));

const withDetail = (text: string, detail: string) => (detail === '' ? text : `${text}: ${detail}`);

/** A value may be as large as a request, and stand in several causes; a client recognises it by its beginning. */
const MAX_SHOWN = 1024;

function show(value: ShownValue): string {
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

export const required = (field: Field, detail = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field: String(field),
});

export const invalidValue = (field: Field, value: ShownValue, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${show(value)}`, detail),
  field: String(field),
});

/** Of a list or a struct as a whole, which is not shown. */
export const invalidWhole = (field: Field, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail('Invalid value', detail),
  field: String(field),
});

export const notSupported = (field: Field, value: ShownValue, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: withDetail(`Unsupported value: ${show(value)}`, `supported values: ${supported.map(show).join(', ')}`),
  field: String(field),
});

export const duplicateValue = (field: Field, value: ShownValue): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${show(value)}`,
  field: String(field),
});

export const forbidden = (field: Field, detail: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
  field: String(field),
});

/** Something that is named does not exist, such as the volume of a mount. */
export const notFoundValue = (field: Field, value: ShownValue): StatusCause => ({
  reason: 'FieldValueNotFound',
  message: `Not found: ${show(value)}`,
  field: String(field),
});

/** The value itself is left out: it is long. */
export const tooLong = (field: Field, maxBytes: number): StatusCause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${maxBytes} bytes`,
  field: String(field),
});

export const tooMany = (field: Field, count: number, max: number): StatusCause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${max} items`,
  field: String(field),
});
