/** Edits of a text by offset. */
import type { Span } from '../source/source-node.ts';

/** Replaces the span by `text`; an empty span is an insertion. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies all edits; offsets refer to `text`. Edits must not overlap; at the same start, shorter ones are first. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}
