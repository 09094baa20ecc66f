/** Parses YAML text into nodes, document by document, or reports why it cannot. */
import type { Document } from 'yaml';
import { MergeBudget } from './anchors.ts';
import { buildTree } from './build-tree.ts';
import { composeDocuments, isStackOverflow } from './compose.ts';
import { MAX_DOCUMENTS, SourceError, TOO_DEEP, TOO_MANY_DOCUMENTS } from './source-error.ts';
import type { SourceDocument, SourceNode } from './source-node.ts';
import { toReadableError } from './yaml-error.ts';

export interface SourceFailure {
  /** The document that cannot be read; the first one if it is the whole text. */
  readonly document: number;
  readonly offset: number;
  readonly message: string;
}

export interface ReadYaml {
  /** Valid documents that are not empty. */
  readonly documents: readonly SourceDocument[];
  /** At most one per document, since later errors are mostly consequences, plus one where reading stopped. */
  readonly failures: readonly SourceFailure[];
}

/** Never throws for invalid text. */
export function readYaml(text: string): ReadYaml {
  const documents: SourceDocument[] = [];
  const failures: SourceFailure[] = [];
  const merges = new MergeBudget();
  let number = 0;
  try {
    for (const document of composeDocuments(text)) {
      if (++number > MAX_DOCUMENTS) throw new SourceError(TOO_MANY_DOCUMENTS, document.range[0]);
      const read = readDocument(document, text, merges);
      if (read instanceof SourceError) failures.push({ document: number, offset: read.offset, message: read.message });
      else if (read !== undefined) documents.push({ number, root: read });
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    failures.push({ document: Math.min(number + 1, MAX_DOCUMENTS + 1), offset: error.offset, message: error.message });
  }
  return { documents, failures };
}

function readDocument(document: Document.Parsed, text: string, merges: MergeBudget): SourceNode | undefined | SourceError {
  const error = document.errors.find((each) => !isCommentOnLine(each, text));
  if (error !== undefined) return isStackOverflow(error) ? new SourceError(TOO_DEEP, error.pos[0]) : toReadableError(error, document);
  try {
    const root = buildTree(document, merges);
    return root?.type === 'null' ? undefined : root;
  } catch (thrown) {
    if (thrown instanceof SourceError) return thrown;
    throw thrown;
  }
}

/** Ignores an error of the library about comments that start a line inside braces without a comma before them. */
const isCommentOnLine = ({ message, pos: [start] }: Document.Parsed['errors'][number], text: string): boolean =>
  message.startsWith('Comments must be separated') && text[start] === '#' && text[start - 1] === '\n';
