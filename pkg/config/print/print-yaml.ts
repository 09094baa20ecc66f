/** Values as YAML that reads back as the same. */
import { stringify } from 'yaml';

/** Words that YAML 1.1 takes for booleans or numbers are quoted; nothing is folded. */
export const PRINT_OPTIONS = { version: '1.1', lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false } as const;

/** In the order of the members. Several documents are separated by `---`. */
export const printYaml = (documents: readonly unknown[]): string =>
  documents.map((document) => stringify(document, PRINT_OPTIONS)).join('---\n');
