/** Received header fields, validated once: a field of the HPACK table may be referenced thousands of times. */
import type { HeaderField } from './hpack-tables.ts';

export interface ReceivedField extends HeaderField {
  /** The name and the value have no characters that RFC 9113 §8.2.1 forbids. */
  readonly isWellFormed: boolean;
}

const PSEUDO_FIELDS: ReadonlySet<string> = new Set([':method', ':scheme', ':authority', ':path', ':status']);

/** A token (RFC 9110 §5.6.2) in lower case. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Stricter than §8.2.1: all control characters, which HTTP/1.1 forbids too. */
const BAD_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;

export const receivedField = (name: string, value: string): ReceivedField => ({
  name,
  value,
  isWellFormed: (NAME.test(name) || PSEUDO_FIELDS.has(name)) && !BAD_VALUE.test(value),
});
