/** Converts errors of the `yaml` library to messages for users, at the position to change. */
import type { Document, Pair, ParsedNode } from 'yaml';
import { SourceError } from './source-error.ts';

type YamlLibraryError = Document.Parsed['errors'][number];

/** The likely cause, by error code of the library. */
const LIKELY_CAUSES: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: '; the line may be indented too deep, or a text with a colon in it lacks quotes',
  MULTILINE_IMPLICIT_KEY: '; a colon may be missing',
};

export function toReadableError({ code, message, pos: [start] }: YamlLibraryError, { contents }: Document.Parsed): SourceError {
  if (code === 'BAD_ALIAS' && message.includes('empty')) return new SourceError("a single * needs quotes: '*'", start);
  const opening = /^Missing closing ["']/.test(message) ? lastNode(contents)?.range[0] : undefined;
  if (opening !== undefined) return new SourceError('the quote that opens here is not closed', opening);
  return new SourceError(`${message}${LIKELY_CAUSES[code] ?? ''}`, start);
}

/** The last node of the text, since an unclosed quote extends to its end. */
function lastNode(root: ParsedNode | null): ParsedNode | undefined {
  let node: ParsedNode | null | undefined = root;
  while (node !== null && node !== undefined && 'items' in node) {
    const last: ParsedNode | Pair<ParsedNode, ParsedNode | null> | undefined = node.items.at(-1);
    node = last === undefined || !('key' in last) ? last : (last.value ?? last.key);
  }
  return node ?? undefined;
}
