/** Changes of a text by place. */
import type { Span } from '../source/source-node.ts';

/** `text` takes the place of what is there; an empty span is where something is put in. */
export interface Edit extends Span {
  readonly text: string;
}

/** All at once: offsets are those of `text`. Edits may meet, but not overlap; of those at one place the one that ends first comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}
