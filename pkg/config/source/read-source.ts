/** Parses a text into documents whose values have positions. Never throws for invalid text. */
import { createLineIndex } from './line-column.ts';
import type { LineColumnOf } from './line-column.ts';
import { readYaml } from './read-yaml.ts';
import type { ReadYaml } from './read-yaml.ts';

export type { SourceDocument } from './source-node.ts';

/** Limit for a text, in bytes of UTF-8 or in UTF-16 units. */
export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

export interface YamlSource extends ReadYaml {
  readonly lineColumnOf: LineColumnOf;
}

/** Also rejected by go-yaml, which the original controller managers use. */
const INVALID_CHARACTER = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;
const BYTE_ORDER_MARK = '\uFEFF';

export function readSource(text: string): YamlSource {
  return { ...readDocuments(text), lineColumnOf: createLineIndex(text) };
}

function readDocuments(marked: string): ReadYaml {
  // The library counts the mark as indentation. Replacing it by an empty line preserves all offsets.
  const text = marked.startsWith(BYTE_ORDER_MARK) ? `\n${marked.slice(1)}` : marked;
  const offset = text.search(INVALID_CHARACTER);
  if (offset >= 0) {
    const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
    return { documents: [], failures: [{ document: 1, offset, message: `there is U+${code}, which is not allowed in YAML` }] };
  }
  return readYaml(text);
}
