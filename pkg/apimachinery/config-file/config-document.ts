/** A configuration file as YAML or JSON: its value, and the line of each part for messages. */
import { isCollection, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

export interface PositionedDocument {
  readonly value: unknown;
  /** Of the part with a path such as `jwt[0].issuer.url`, or of the nearest part around it. */
  readonly lineOf: (path: string) => number;
}

/** A problem with a part of the file. */
export interface ConfigProblem {
  readonly path: string;
  readonly message: string;
}

/** The message is one sentence with the file, the line and the reason. */
export class ConfigFileError extends Error {}

/** `path` is only used in messages. Throws ConfigFileError. */
export function parseConfigDocument(text: string, path: string): PositionedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.1', merge: false });
  const [error] = document.errors;
  if (error !== undefined) throw new ConfigFileError(`${path} is wrong in line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  return {
    value: document.toJS({ maxAliasCount: 100 }),
    lineOf: (part) => lines.linePos(offsetOf(document.contents, part)).line,
  };
}

function offsetOf(contents: Node | null, path: string): number {
  let offset = contents?.range?.[0] ?? 0;
  let node: unknown = contents;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (!isCollection(node)) break;
    const key = name ?? Number(index);
    const pair = node.items.find((each) => isPairOf(each, key));
    node = node.get(key, true);
    const range = isPairOf(pair, key) ? pair.key.range : isCollection(node) || isScalar(node) ? node.range : undefined;
    offset = range?.[0] ?? offset;
  }
  return offset;
}

interface NamedPair {
  readonly key: { readonly value: unknown; readonly range?: readonly number[] | null };
}

const isPairOf = (item: unknown, key: string | number): item is NamedPair =>
  typeof item === 'object' && item !== null && 'key' in item && isScalar(item.key) && item.key.value === key;

/** Throws ConfigFileError with all problems, if there are any. */
export function assertNoProblems(problems: readonly ConfigProblem[], path: string, { lineOf }: Pick<PositionedDocument, 'lineOf'>): void {
  const [first] = problems;
  if (first === undefined) return;
  const texts = problems.map(({ path: part, message }) => {
    const line = lineOf(part);
    return `${line === lineOf(first.path) ? '' : `line ${line}: `}${part === '' ? '' : `${part}: `}${message}`;
  });
  throw new ConfigFileError(`${path} is wrong in line ${lineOf(first.path)}: ${texts.join('; ')}`);
}
