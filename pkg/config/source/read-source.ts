/** A text into documents whose every value knows its place. Never throws for what is in the text. */
import { LineCounter } from 'yaml';
import type { Document } from 'yaml';
import { buildTree } from './build-tree.ts';
import { composeDocuments, isStackOverflow, SourceError, TOO_DEEP } from './compose.ts';
import type { SourceNode } from './source-node.ts';

/** A text longer than this, in bytes of UTF-8 or UTF-16 units, is not read. */
export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

export interface SourceDocument {
  /** From 1, those that hold nothing counted too. */
  readonly number: number;
  readonly root: SourceNode;
}

export interface SourceRefusal {
  /** The document that cannot be read; the first, when it is the whole text. */
  readonly document: number;
  readonly offset: number;
  readonly message: string;
}

export interface Source {
  /** Those that hold something and can be read. */
  readonly documents: readonly SourceDocument[];
  /** At most one of each document: what follows a mistake is rarely another. */
  readonly refusals: readonly SourceRefusal[];
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
}

export function readSource(text: string): Source {
  const lines = new LineCounter();
  const documents: SourceDocument[] = [];
  const refusals: SourceRefusal[] = [];
  let number = 0;
  try {
    for (const document of composeDocuments(text, lines.addNewLine)) {
      number++;
      const read = readDocument(document);
      if (read instanceof SourceError) refusals.push({ document: number, offset: read.offset, message: read.message });
      else if (read !== undefined) documents.push({ number, root: read });
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    refusals.push({ document: number + 1, offset: error.offset, message: error.message });
  }
  return {
    documents,
    refusals,
    placeOf: (offset) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

function readDocument(document: Document.Parsed): SourceNode | undefined | SourceError {
  const [error] = document.errors;
  if (error !== undefined) return new SourceError(isStackOverflow(error) ? TOO_DEEP : error.message, error.pos[0]);
  try {
    const root = buildTree(document);
    return root?.type === 'null' ? undefined : root;
  } catch (thrown) {
    if (thrown instanceof SourceError) return thrown;
    throw thrown;
  }
}
