/** Values as YAML that reads back as the same. */
import { stringify } from 'yaml';

/** In the order of the members; words that YAML 1.1 takes for booleans or numbers are quoted. Several documents are separated by `---`. */
export const printYaml = (documents: readonly unknown[]): string =>
  documents
    .map((document) => stringify(document, { version: '1.1', lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false }))
    .join('---\n');
