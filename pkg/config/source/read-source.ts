/** A text into documents whose every value knows its place. Never throws for what is in the text. */
import { placesIn } from './place-of.ts';
import type { PlaceOf } from './place-of.ts';
import { readYaml } from './read-yaml.ts';
import type { ReadYaml } from './read-yaml.ts';

export type { SourceRefusal } from './read-yaml.ts';
export type { SourceDocument } from './source-node.ts';

/** A text longer than this, in bytes of UTF-8 or UTF-16 units, is not read. */
export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

export interface Source extends ReadYaml {
  readonly placeOf: PlaceOf;
}

/** What go-yaml refuses too, which reads such files for the original controller managers. */
const NO_CHARACTER = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;
const BYTE_ORDER_MARK = '\uFEFF';

export function readSource(text: string): Source {
  return { ...readDocuments(text), placeOf: placesIn(text) };
}

function readDocuments(marked: string): ReadYaml {
  // The library takes the mark for an indentation. An empty line in its place moves nothing.
  const text = marked.startsWith(BYTE_ORDER_MARK) ? `\n${marked.slice(1)}` : marked;
  const offset = text.search(NO_CHARACTER);
  if (offset >= 0) {
    const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
    return { documents: [], refusals: [{ document: 1, offset, message: `there is U+${code}, which is no character of YAML` }] };
  }
  return readYaml(text);
}
