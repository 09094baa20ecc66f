/** Prints values as YAML that parses to the same values. */
import { stringify } from 'yaml';

/** Quotes words that YAML 1.1 parses as booleans or numbers, and does not fold lines. */
export const PRINT_OPTIONS = { version: '1.1', lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false } as const;

/** In the order of the members. Several documents are separated by `---`. */
export const printYaml = (documents: readonly unknown[]): string =>
  documents.map((document) => stringify(document, PRINT_OPTIONS)).join('---\n');
