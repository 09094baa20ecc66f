/** YAML text into nodes, one document after the other, or why it cannot be read. */
import type { Document } from 'yaml';
import { MergeBudget } from './anchors.ts';
import { buildTree } from './build-tree.ts';
import { composeDocuments, isStackOverflow } from './compose.ts';
import { MAX_DOCUMENTS, SourceError, TOO_DEEP, TOO_MANY_DOCUMENTS } from './source-error.ts';
import type { SourceDocument, SourceNode } from './source-node.ts';
import { yamlMistake } from './yaml-mistake.ts';

export interface SourceRefusal {
  /** The document that cannot be read; the first, when it is the whole text. */
  readonly document: number;
  readonly offset: number;
  readonly message: string;
}

export interface ReadYaml {
  /** Those that hold something and can be read. */
  readonly documents: readonly SourceDocument[];
  /** At most one of each document, what follows a mistake is rarely another; and one where reading was ended. */
  readonly refusals: readonly SourceRefusal[];
}

/** Never throws for what is in the text. */
export function readYaml(text: string): ReadYaml {
  const documents: SourceDocument[] = [];
  const refusals: SourceRefusal[] = [];
  const merges = new MergeBudget();
  let number = 0;
  try {
    for (const document of composeDocuments(text)) {
      if (++number > MAX_DOCUMENTS) throw new SourceError(TOO_MANY_DOCUMENTS, document.range[0]);
      const read = readDocument(document, text, merges);
      if (read instanceof SourceError) refusals.push({ document: number, offset: read.offset, message: read.message });
      else if (read !== undefined) documents.push({ number, root: read });
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    refusals.push({ document: Math.min(number + 1, MAX_DOCUMENTS + 1), offset: error.offset, message: error.message });
  }
  return { documents, refusals };
}

function readDocument(document: Document.Parsed, text: string, merges: MergeBudget): SourceNode | undefined | SourceError {
  const error = document.errors.find((each) => !isCommentOnLine(each, text));
  if (error !== undefined) return isStackOverflow(error) ? new SourceError(TOO_DEEP, error.pos[0]) : yamlMistake(error, document);
  try {
    const root = buildTree(document, merges);
    return root?.type === 'null' ? undefined : root;
  } catch (thrown) {
    if (thrown instanceof SourceError) return thrown;
    throw thrown;
  }
}

/** The library takes a comment that begins a line within braces, and no comma before it, for one that hangs on the value above. */
const isCommentOnLine = ({ message, pos: [start] }: Document.Parsed['errors'][number], text: string): boolean =>
  message.startsWith('Comments must be separated') && text[start] === '#' && text[start - 1] === '\n';
