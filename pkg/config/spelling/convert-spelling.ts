/** A file in the other spelling: names are replaced where they stand, everything else stays byte for byte. */
import { readDocument } from '../read/read-document.ts';
import type { Spelling } from '../read/read-document.ts';
import { readSource } from '../source/read-source.ts';

/** `current`: that of this specification; `old`: that of existing files. */
export type SpellingName = 'current' | 'old';

/**
 * Fields that moved stay where they are, and so do names that are not simply spelled out, such as one behind a tag or an anchor. What cannot be read is left as it is:
 * the text need not be valid. Converting there and back gives the same text, where the versions of groups are current.
 */
export function convertSpelling(text: string, to: SpellingName): string {
  const source = readSource(text);
  const lineOf = (offset: number): number => source.placeOf(offset).line;
  const spellings = source.documents.flatMap(({ root }) => readDocument(root, { lineOf }).document?.spellings ?? []);
  // Behind an alias the same name is met again.
  const edits = new Map(spellings.map((spelling) => [spelling.start, spelling]));
  let end = 0;
  const parts: string[] = [];
  for (const edit of [...edits.values()].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(end, edit.start), spelled(edit, to));
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

const spelled = ({ quote, current, old }: Spelling, to: SpellingName): string => `${quote}${to === 'current' ? current : old}${quote}`;
