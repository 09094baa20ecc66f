/**
 * Reads, checks and completes configurations of the controller managers. Independent of the server. Never throws:
 * returns all errors of a file, and suspicious values as warnings. See `docs/config.md` and `docs/embedding-config.md`.
 */
import type { ConfigDocument } from './config-document.ts';
import { withDefaults } from './defaults/with-defaults.ts';
import type { FrozenValues } from './defaults/with-defaults.ts';
import type { ConfigKindName } from './kinds/config-kind.ts';
import type { ConfigTypes } from './kinds/types.gen.ts';
import type { Position, Problem } from './problem.ts';
import { byPosition } from './problem.ts';
import { parentOf, readDocument } from './read/read-document.ts';
import type { OffsetProblem, ReadDocument } from './read/read-document.ts';
import { ALL_RULES } from './rules/all-rules.ts';
import type { FeatureGates } from './controllers/feature-gates.ts';
import { changedFields, documentFields } from './defaults/document-fields.ts';
import type { ConfigRuleContext } from './rules/rule.ts';
import { MAX_SOURCE_BYTES, readSource } from './source/read-source.ts';
import type { SourceDocument, YamlSource } from './source/read-source.ts';
import { readFileText, TOO_LARGE } from './source/read-text.ts';
import { templateHint } from './source/template-hint.ts';

export interface LoadOptions {
  /** The only accepted group suffix. Default: any. */
  readonly groupSuffix?: string;
  /** Gates on the component's command line; others have their defaults. */
  readonly featureGates?: FeatureGates;
}

export type ConfigSource =
  | { readonly path: string }
  /** `file`: the name in problems. */
  | { readonly text: string; readonly file?: string };

export type LoadedConfig =
  | {
      readonly valid: true;
      /** In the order of the file, at most one of each kind. */
      readonly documents: readonly ConfigDocument[];
      /** Warnings, by position. */
      readonly problems: readonly Problem[];
    }
  | {
      readonly valid: false;
      readonly problems: readonly Problem[];
      /** Documents of known kind, with defaults in place of invalid values. For further checks only, not for use. */
      readonly partial: readonly ConfigDocument[];
    };

/** The reason of a problem with a file that cannot be read at all. */
export const UNREADABLE = 'Unreadable';

/** Limits the problems of a file; the last one then contains the number of further ones. */
const MAX_PROBLEMS = 1000;

/** Values may be a megabyte long, so messages are truncated. */
const MAX_MESSAGE_LENGTH = 400;

/** YAML or JSON with one or more documents. Never rejects. */
export async function loadConfig(source: ConfigSource, options: LoadOptions = {}): Promise<LoadedConfig> {
  if ('text' in source) return parseConfig(source.text, { ...options, ...(source.file === undefined ? {} : { file: source.file }) });
  const read = await readFileText(source.path);
  return 'text' in read ? parseConfig(read.text, { ...options, file: source.path }) : unreadable(source.path, read.failure);
}

/** The same for a text. */
export function parseConfig(text: string, options: LoadOptions & { readonly file?: string } = {}): LoadedConfig {
  const { file = '' } = options;
  if (text.length > MAX_SOURCE_BYTES) return unreadable(file, TOO_LARGE);
  const source = readSource(text);
  const locate = locatorOf(file, source);
  const loaded = source.documents.map((document) => loadDocument(document, source, options));
  const context = contextOf(loaded, options);
  const hint = source.failures.length === 0 ? '' : templateHint(text, (offset) => source.lineColumnOf(offset).line);
  const problems = [
    ...source.failures.map(({ document, offset, message }) =>
      locate(document, { path: '', at: offset, severity: 'error', reason: 'Syntax', message: `${message}${hint}` }),
    ),
    ...loaded.flatMap((each) => [...each.problems, ...applyRules(each, context)].map((problem) => locate(each.number, problem))),
    ...repeatedKinds(loaded).map(({ number, problem }) => locate(number, problem)),
  ];
  if (loaded.length === 0 && problems.length === 0) {
    problems.push(locate(1, { path: '', at: 0, severity: 'error', reason: 'NoDocument', message: 'there is no document in the file' }));
  }
  const shown = limitProblems(problems.sort(byPosition));
  const { documents } = context;
  const valid = !problems.some(({ severity }) => severity === 'error');
  return valid ? { valid, documents, problems: shown } : { valid, problems: shown, partial: documents };
}

export function unreadable(file: string, failure: string): LoadedConfig {
  const problem = { document: 1, path: '', line: 1, column: 1, severity: 'error', reason: UNREADABLE, message: failure } as const;
  return { valid: false, problems: [{ file, ...problem }], partial: [] };
}

interface LoadedDocument {
  readonly number: number;
  /** Absent if its kind is unknown. */
  readonly document?: ConfigDocument;
  /** Present if `document` is. */
  readonly read?: ReadDocument;
  readonly start: number;
  readonly problems: readonly OffsetProblem[];
}

function loadDocument({ number, root }: SourceDocument, source: YamlSource, options: LoadOptions): LoadedDocument {
  const { document: read, problems } = readDocument(root, { ...options, lineOf: (offset) => source.lineColumnOf(offset).line });
  if (read === undefined) return { number, start: root.start, problems };
  const suffix = read.suffix ?? options.groupSuffix ?? '';
  const document = toDocument(read, number, source, withDefaults(read.values, { kind: read.kind, suffix }));
  return { number, document, read, start: root.start, problems };
}

type FileContext = Omit<ConfigRuleContext, 'fields' | 'changed'>;

function contextOf(loaded: readonly LoadedDocument[], { featureGates = new Map() }: LoadOptions): FileContext {
  const broken = new Map(loaded.map(({ document, read }) => [document, read?.broken]));
  return {
    documents: loaded.flatMap(({ document }) => (document === undefined ? [] : [document])),
    isReadable: (document, path) => broken.get(document)?.has(path) !== true,
    featureGates,
  };
}

function applyRules({ document, read }: LoadedDocument, file: FileContext): OffsetProblem[] {
  if (document === undefined || read === undefined) return [];
  const { broken, spans } = read;
  const context = { ...file, fields: documentFields(document), changed: [...changedFields(document)] };
  const found: OffsetProblem[] = [];
  for (const rule of ALL_RULES) {
    rule(
      document,
      ({ path, relatedPaths = [], severity = 'error', reason, message }) => {
        if ([path, ...relatedPaths].some((each) => broken.has(each))) return;
        found.push({ path, at: nearestStart(spans, path), severity, reason, message });
      },
      context,
    );
  }
  return found;
}

function toDocument({ kind, spans }: ReadDocument, number: number, { lineColumnOf }: YamlSource, config: FrozenValues): ConfigDocument {
  const document = {
    kind: kind.kind,
    config: config as unknown as ConfigTypes[ConfigKindName],
    document: number,
    isSet: (path: string): boolean => spans.has(path),
    positionOf: (path: string): Position => ({ document: number, ...lineColumnOf(nearestStart(spans, path)) }),
  };
  // The cast is safe: the values were built from the same facts as the types.
  return Object.freeze(document) as ConfigDocument;
}

function nearestStart(spans: ReadDocument['spans'], path: string): number {
  for (let at = path; ; at = parentOf(at)) {
    const span = spans.get(at);
    if (span !== undefined) return span.start;
    if (at === '') return 0;
  }
}

function repeatedKinds(loaded: readonly LoadedDocument[]): { readonly number: number; readonly problem: OffsetProblem }[] {
  const seen = new Map<string, number>();
  return loaded.flatMap(({ number, document, start }) => {
    if (document === undefined) return [];
    const first = seen.get(document.kind);
    if (first === undefined) {
      seen.set(document.kind, number);
      return [];
    }
    const message = `this is another ${document.kind}; the first one is document ${first}`;
    return [{ number, problem: { path: '', at: start, severity: 'error', reason: 'DuplicateKind', message } }];
  });
}

const locatorOf =
  (file: string, { lineColumnOf }: YamlSource) =>
  (document: number, { path, at, severity, reason, message }: OffsetProblem): Problem => ({
    file,
    document,
    path,
    ...lineColumnOf(at),
    severity,
    reason,
    message: message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message,
  });

function limitProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const shown = problems.slice(0, MAX_PROBLEMS - 1);
  const last = problems[MAX_PROBLEMS - 1];
  const further = problems.length - shown.length;
  return last === undefined ? shown : [...shown, { ...last, path: '', reason: 'TooManyProblems', message: `and ${further} more problems` }];
}
