/** Causes in the wording of Kubernetes: the error, the value, and why. */
import type { JsonValue } from '../json/json-value.ts';
import { quote, writeJson } from '../json/write-json.ts';
import type { FieldPath } from './field-path.ts';
import { quotedText } from './quoted-text.ts';
import type { StatusCause } from './status-error.ts';

/** A string is a formatted path. */
type CauseField = string | FieldPath;

/** A list is shown as JSON. */
type BadValue = string | number | bigint | boolean | null | readonly string[];

/** The value is valid. */
export const NO_CAUSES: readonly StatusCause[] = [];

/** Per list of an object: a body of 3 MB could cause a million, which take seconds and 100 MB. */
const MAX_CAUSES = 1000;

/** The causes of each element, up to a limit. */
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

/** A value may be as large as the request and occur in several causes, so messages show only its start. */
const MAX_VALUE_LENGTH = 1024;

/** The start of a text that may be long. */
export const shownText = (text: string): string => (text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text);

const isTexts = (value: BadValue): value is readonly string[] => Array.isArray(value);

function formatBadValue(value: BadValue): string {
  if (isTexts(value)) return shownText(writeJson(value));
  return typeof value === 'string' ? quotedText(shownText(value)) : String(value);
}

/** Kubernetes formats words of a closed or open list, whose type is not `string`, as JSON. */
const formatWord = (value: BadValue): string => (typeof value === 'string' ? quote(shownText(value)) : formatBadValue(value));

export const required = (field: CauseField, detail = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field: String(field),
});

export const invalidValue = (field: CauseField, value: BadValue, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${formatBadValue(value)}`, detail),
  field: String(field),
});

/** For a word of a list, such as the type of a Secret. */
export const invalidWord = (field: CauseField, word: string, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${formatWord(word)}`, detail),
  field: String(field),
});

/** For a struct as a whole, which Kubernetes formats as JSON. */
export const invalidStruct = (field: CauseField, value: JsonValue, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${shownText(writeJson(value))}`, detail),
  field: String(field),
});

/** For a list or struct as a whole; its value is not shown. */
export const invalidWhole = (field: CauseField, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: withDetail('Invalid value', detail),
  field: String(field),
});

export const notSupported = (field: CauseField, value: BadValue, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: withDetail(`Unsupported value: ${formatWord(value)}`, `supported values: ${supported.map(formatBadValue).join(', ')}`),
  field: String(field),
});

/** The same for a field whose type in Kubernetes is `string` instead of a type of its own: it is quoted as Go does. */
export const notSupportedText = (field: CauseField, value: string, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: withDetail(`Unsupported value: ${formatBadValue(value)}`, `supported values: ${supported.map(formatBadValue).join(', ')}`),
  field: String(field),
});

/** The same for a struct, which Kubernetes formats as JSON. */
export const notSupportedStruct = (field: CauseField, value: JsonValue, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: withDetail(`Unsupported value: ${shownText(writeJson(value))}`, `supported values: ${supported.map(formatBadValue).join(', ')}`),
  field: String(field),
});

export const duplicateValue = (field: CauseField, value: BadValue): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${formatBadValue(value)}`,
  field: String(field),
});

export const forbidden = (field: CauseField, detail: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
  field: String(field),
});

/** A reference to something that does not exist, such as the volume of a mount. */
export const notFoundValue = (field: CauseField, value: BadValue, detail = ''): StatusCause => ({
  reason: 'FieldValueNotFound',
  message: withDetail(`Not found: ${formatBadValue(value)}`, detail),
  field: String(field),
});

/** The value is omitted, because it is long. */
export const tooLong = (field: CauseField, maxBytes: number): StatusCause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${maxBytes} bytes`,
  field: String(field),
});

export const tooMany = (field: CauseField, count: number, max: number): StatusCause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${max} items`,
  field: String(field),
});
