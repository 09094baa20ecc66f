/** A file in the other spelling: names are replaced where they stand, everything else stays byte for byte. */
import type { Problem } from '../problem.ts';
import { byPosition } from '../problem.ts';
import { withDefaults } from '../defaults/with-defaults.ts';
import { shapeNamed } from '../read/field-names.ts';
import { readDocument } from '../read/read-document.ts';
import type { RawProblem, ReadDocument, Spelling } from '../read/read-document.ts';
import { readSource } from '../source/read-source.ts';
import type { Source } from '../source/read-source.ts';
import type { SourceNode } from '../source/source-node.ts';
import { applyEdits } from './edit.ts';
import type { Edit } from './edit.ts';
import { moveFields } from './move-fields.ts';

/** `current`: that of this specification; `old`: that of existing files. */
export type SpellingName = 'current' | 'old';

export interface ConvertedText {
  /** Undefined when one of the documents cannot be read. */
  readonly text?: string;
  /** What stayed as it was and why, and what the reader did not understand; places are those of the text that was given. By place. */
  readonly problems: readonly Problem[];
}

/**
 * The text need not be valid: what is wrong with values is of no interest here. `current` also moves fields to where they are now, if they are on lines
 * of their own; `old` leaves these where they are. Without such fields, converting there and back gives the same text.
 */
export function convertSpelling(text: string, to: SpellingName, file = ''): ConvertedText {
  const source = readSource(text);
  const documents = documentsOf(source);
  const locate = ({ document, at, path, reason, message }: Remark): Problem => ({
    file,
    document,
    path,
    ...source.placeOf(at),
    severity: 'error',
    reason,
    message,
  });
  const misread = [...source.refusals.map(refusalRemark), ...documents.flatMap(errorRemarks)].map(locate);
  if (source.refusals.length > 0 || documents.some(({ read }) => read === undefined)) return { problems: misread.toSorted(byPosition) };
  const names = renames(documents, to);
  const renamed = applyEdits(text, names);
  const moved = to === 'current' ? moves(text, documents) : NOTHING_MOVED;
  const whole = applyEdits(text, [...names, ...moved.edits]);
  // Lines that were moved must still mean the same; anchors and their aliases may not, in another order.
  const isSame = meaningOf(documentsOf(readSource(whole))) === meaningOf(documents);
  const left = [...stillSpelled(documents, documentsOf(readSource(renamed)), to), ...(isSame ? moved.left : moved.all)];
  return { text: isSame ? whole : renamed, problems: [...misread, ...left.map(locate)].sort(byPosition) };
}

interface OpenedDocument {
  readonly number: number;
  readonly root: SourceNode;
  readonly read: ReadDocument | undefined;
  readonly problems: readonly RawProblem[];
}

/** A problem whose place is still an offset, in a document. */
type Remark = Omit<RawProblem, 'severity'> & { readonly document: number };

function documentsOf(source: Source): OpenedDocument[] {
  const lineOf = (offset: number): number => source.placeOf(offset).line;
  return source.documents.map(({ number, root }) => {
    const { document: read, problems } = readDocument(root, { lineOf });
    return { number, root, read, problems };
  });
}

const refusalRemark = ({ document, offset, message }: Source['refusals'][number]): Remark => ({
  document,
  at: offset,
  path: '',
  reason: 'Syntax',
  message,
});

const errorRemarks = ({ number, problems }: OpenedDocument): Remark[] =>
  problems.filter(({ severity }) => severity === 'error').map((problem) => ({ ...problem, document: number }));

function renames(documents: readonly OpenedDocument[], to: SpellingName): Edit[] {
  const edits = new Map<number, Edit>();
  for (const { start, end, quote, current, old } of documents.flatMap(spellingsOf)) {
    // Behind an alias the same name is met again.
    if (quote !== undefined) edits.set(start, { start, end, text: `${quote}${to === 'current' ? current : old}${quote}` });
  }
  return [...edits.values()];
}

const spellingsOf = ({ number, read }: OpenedDocument): (Spelling & { readonly document: number })[] =>
  (read?.spellings ?? []).map((spelling) => ({ ...spelling, document: number }));

/** Names that replacing others did not change as well: what a merge brings along is right when its source is. */
function stillSpelled(before: readonly OpenedDocument[], after: readonly OpenedDocument[], to: SpellingName): Remark[] {
  const now = after.flatMap(spellingsOf);
  return before.flatMap(spellingsOf).flatMap((spelling, index): Remark[] => {
    const { document, start, path, isOld, current, old } = spelling;
    if (current === old || now[index]?.isOld === (to === 'old')) return [];
    const message = `${isOld ? old : current} is not spelled out here, or has an anchor or a tag; it cannot be replaced by ${isOld ? current : old}`;
    return [{ document, at: start, path, reason: 'NotConverted', message }];
  });
}

interface MovedText {
  readonly edits: readonly Edit[];
  readonly left: readonly Remark[];
  /** Instead of `left`, when nothing is moved. */
  readonly all: readonly Remark[];
}

const NOTHING_MOVED: MovedText = { edits: [], left: [], all: [] };

function moves(text: string, documents: readonly OpenedDocument[]): MovedText {
  const found = documents.map(({ number, root, read }) => ({ number, ...moveFields(text, root, shapeNamed(read?.kind.kind)) }));
  const remarks = (list: 'left' | 'all'): Remark[] =>
    found.flatMap((moved) =>
      moved[list].map(({ offset, path, message }) => ({ document: moved.number, at: offset, path, reason: 'NotConverted', message })),
    );
  return { edits: found.flatMap(({ edits }) => edits), left: remarks('left'), all: remarks('all') };
}

/** Two texts of the same meaning say the same to every program. */
const meaningOf = (documents: readonly OpenedDocument[]): string =>
  JSON.stringify(documents.map(({ read }) => read && withDefaults(read.values, { kind: read.kind, suffix: read.suffix ?? '' })));
