/** Converts a file to the other spelling: names are replaced in place, and all other bytes are unchanged. */
import type { Problem } from '../problem.ts';
import { byPosition } from '../problem.ts';
import { withDefaults } from '../defaults/with-defaults.ts';
import { shapeNamed } from '../read/field-names.ts';
import { readDocument } from '../read/read-document.ts';
import type { OffsetProblem, ReadDocument, Spelling } from '../read/read-document.ts';
import { readSource } from '../source/read-source.ts';
import type { YamlSource } from '../source/read-source.ts';
import type { SourceNode } from '../source/source-node.ts';
import { applyEdits } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import { moveFields } from './move-fields.ts';

/** `current`: of this specification; `old`: of existing files. */
export type SpellingName = 'current' | 'old';

export interface ConvertedText {
  /** Undefined if a document cannot be read. */
  readonly text?: string;
  /** Names that were not converted, and problems from reading, by position in the given text. */
  readonly problems: readonly Problem[];
}

/**
 * Values are not checked. `current` also moves fields on separate lines to their current place; `old` does not move
 * fields. Without such fields, converting back gives the same text.
 */
export function convertSpelling(text: string, to: SpellingName, file = ''): ConvertedText {
  const source = readSource(text);
  const documents = documentsOf(source);
  const locate = ({ document, at, path, reason, message }: DocumentProblem): Problem => ({
    file,
    document,
    path,
    ...source.lineColumnOf(at),
    severity: 'error',
    reason,
    message,
  });
  const readProblems = [...source.failures.map(sourceProblem), ...documents.flatMap(errorProblems)].map(locate);
  if (source.failures.length > 0 || documents.some(({ read }) => read === undefined))
    return { problems: readProblems.toSorted(byPosition) };
  const names = renames(documents, to);
  const renamed = applyEdits(text, names);
  const moved = to === 'current' ? moves(text, documents) : NOTHING_MOVED;
  const converted = applyEdits(text, [...names, ...moved.edits]);
  // Moved lines must keep their meaning; anchors and aliases may not, in another order.
  const isSame = meaningOf(documentsOf(readSource(converted))) === meaningOf(documents);
  const unmoved = [...unconvertedSpellings(documents, documentsOf(readSource(renamed)), to), ...(isSame ? moved.unmoved : moved.all)];
  return { text: isSame ? converted : renamed, problems: [...readProblems, ...unmoved.map(locate)].sort(byPosition) };
}

interface ParsedDocument {
  readonly number: number;
  readonly root: SourceNode;
  readonly read: ReadDocument | undefined;
  readonly problems: readonly OffsetProblem[];
}

/** A problem with an offset in a document. */
type DocumentProblem = Omit<OffsetProblem, 'severity'> & { readonly document: number };

function documentsOf(source: YamlSource): ParsedDocument[] {
  const lineOf = (offset: number): number => source.lineColumnOf(offset).line;
  return source.documents.map(({ number, root }) => {
    const { document: read, problems } = readDocument(root, { lineOf });
    return { number, root, read, problems };
  });
}

const sourceProblem = ({ document, offset, message }: YamlSource['failures'][number]): DocumentProblem => ({
  document,
  at: offset,
  path: '',
  reason: 'Syntax',
  message,
});

const errorProblems = ({ number, problems }: ParsedDocument): DocumentProblem[] =>
  problems.filter(({ severity }) => severity === 'error').map((problem) => ({ ...problem, document: number }));

function renames(documents: readonly ParsedDocument[], to: SpellingName): TextEdit[] {
  const edits = new Map<number, TextEdit>();
  for (const { start, end, quote, current, old } of documents.flatMap(spellingsOf)) {
    // An alias leads to the same name again.
    if (quote !== undefined) edits.set(start, { start, end, text: `${quote}${to === 'current' ? current : old}${quote}` });
  }
  return [...edits.values()];
}

const spellingsOf = ({ number, read }: ParsedDocument): (Spelling & { readonly document: number })[] =>
  (read?.spellings ?? []).map((spelling) => ({ ...spelling, document: number }));

/** Names that are still in the other spelling. Merged names are converted with their source. */
function unconvertedSpellings(before: readonly ParsedDocument[], after: readonly ParsedDocument[], to: SpellingName): DocumentProblem[] {
  const now = after.flatMap(spellingsOf);
  return before.flatMap(spellingsOf).flatMap((spelling, index): DocumentProblem[] => {
    const { document, start, path, isOld, current, old } = spelling;
    if (current === old || now[index]?.isOld === (to === 'old')) return [];
    const message = `${isOld ? old : current} is not spelled out here, or has an anchor or a tag; it cannot be replaced by ${isOld ? current : old}`;
    return [{ document, at: start, path, reason: 'NotConverted', message }];
  });
}

interface MovedTextEdits {
  readonly edits: readonly TextEdit[];
  readonly unmoved: readonly DocumentProblem[];
  /** Used instead of `unmoved` if nothing is moved. */
  readonly all: readonly DocumentProblem[];
}

const NOTHING_MOVED: MovedTextEdits = { edits: [], unmoved: [], all: [] };

function moves(text: string, documents: readonly ParsedDocument[]): MovedTextEdits {
  const found = documents.map(({ number, root, read }) => ({ number, ...moveFields(text, root, shapeNamed(read?.kind.kind)) }));
  const remarks = (list: 'unmoved' | 'all'): DocumentProblem[] =>
    found.flatMap((moved) =>
      moved[list].map(({ offset, path, message }) => ({ document: moved.number, at: offset, path, reason: 'NotConverted', message })),
    );
  return { edits: found.flatMap(({ edits }) => edits), unmoved: remarks('unmoved'), all: remarks('all') };
}

/** Texts with equal results have the same meaning for every program. */
const meaningOf = (documents: readonly ParsedDocument[]): string =>
  JSON.stringify(documents.map(({ read }) => read && withDefaults(read.values, { kind: read.kind, suffix: read.suffix ?? '' })));
