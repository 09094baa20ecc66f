/** What the `yaml` library refuses, in words for who wrote the file and at the place that is to be changed. */
import type { Document, Pair, ParsedNode } from 'yaml';
import { SourceError } from './source-error.ts';

type YamlMistake = Document.Parsed['errors'][number];

/** By the library's code: what is mostly behind it. */
const MOSTLY: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: '; the line may be indented too deep, or a text with a colon in it lacks quotes',
  MULTILINE_IMPLICIT_KEY: '; a colon may be missing',
};

export function yamlMistake({ code, message, pos: [start] }: YamlMistake, { contents }: Document.Parsed): SourceError {
  if (code === 'BAD_ALIAS' && message.includes('empty')) return new SourceError("a * that stands by itself needs quotes: '*'", start);
  const opening = /^Missing closing ["']/.test(message) ? lastNode(contents)?.range[0] : undefined;
  if (opening !== undefined) return new SourceError('the quote that opens here is not closed', opening);
  return new SourceError(`${message}${MOSTLY[code] ?? ''}`, start);
}

/** The one that the text ends in; a quote that is open takes everything. */
function lastNode(root: ParsedNode | null): ParsedNode | undefined {
  let node: ParsedNode | null | undefined = root;
  while (node !== null && node !== undefined && 'items' in node) {
    const last: ParsedNode | Pair<ParsedNode, ParsedNode | null> | undefined = node.items.at(-1);
    node = last === undefined || !('key' in last) ? last : (last.value ?? last.key);
  }
  return node ?? undefined;
}
