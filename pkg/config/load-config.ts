/**
 * Configurations of the controller managers, read, checked and completed. Knows nothing of the server. A file is refused for its errors, all of them
 * at once, and never throws; what is only odd is a warning. `docs/config.md` has the kinds, `docs/embedding-config.md` how to use this.
 */
import type { ConfigDocument } from './config-document.ts';
import { withDefaults } from './defaults/with-defaults.ts';
import type { FrozenValues } from './defaults/with-defaults.ts';
import type { ConfigKindName } from './kinds/config-kind.ts';
import type { ConfigTypes } from './kinds/types.gen.ts';
import type { Position, Problem } from './problem.ts';
import { byPosition } from './problem.ts';
import { parentOf, readDocument } from './read/read-document.ts';
import type { RawProblem, ReadDocument } from './read/read-document.ts';
import { ALL_RULES } from './rules/all-rules.ts';
import type { FeatureGates } from './controllers/feature-gates.ts';
import { changedFields, documentFields } from './defaults/document-fields.ts';
import type { Surroundings } from './rules/rule.ts';
import { MAX_SOURCE_BYTES, readSource } from './source/read-source.ts';
import type { Source, SourceDocument } from './source/read-source.ts';
import { readFileText, TOO_LARGE } from './source/read-text.ts';
import { templateHint } from './source/template-marks.ts';

export interface LoadOptions {
  /** The only suffix of groups that is accepted; absent: any. */
  readonly groupSuffix?: string;
  /** Gates that the component is given on its command line; others have their defaults. */
  readonly featureGates?: FeatureGates;
}

export type ConfigSource =
  | { readonly path: string }
  /** `file`: how problems name it. */
  | { readonly text: string; readonly file?: string };

export type LoadedConfig =
  | {
      readonly valid: true;
      /** In the order of the file, at most one of each kind. */
      readonly documents: readonly ConfigDocument[];
      /** Warnings, by place. */
      readonly problems: readonly Problem[];
    }
  | {
      readonly valid: false;
      readonly problems: readonly Problem[];
      /** Those of which the kind is known, with defaults in place of what cannot be read: to look for more problems, not to run on. */
      readonly partial: readonly ConfigDocument[];
    };

/** The reason of a problem that is no fault of what a file says: it cannot be read at all. */
export const UNREADABLE = 'Unreadable';

/** A list of this many is long enough; the last one then says that there were more. */
const MAX_PROBLEMS = 1000;

/** What a file says may be a megabyte; a message about it is for people. */
const MAX_MESSAGE = 400;

/** YAML or JSON, one or several documents. Never rejects. */
export async function loadConfig(source: ConfigSource, options: LoadOptions = {}): Promise<LoadedConfig> {
  if ('text' in source) return parseConfig(source.text, { ...options, ...(source.file === undefined ? {} : { file: source.file }) });
  const read = await readFileText(source.path);
  return 'text' in read ? parseConfig(read.text, { ...options, file: source.path }) : unreadable(source.path, read.refusal);
}

/** The same of a text that is here already. */
export function parseConfig(text: string, options: LoadOptions & { readonly file?: string } = {}): LoadedConfig {
  const { file = '' } = options;
  if (text.length > MAX_SOURCE_BYTES) return unreadable(file, TOO_LARGE);
  const source = readSource(text);
  const locate = locatorOf(file, source);
  const loaded = source.documents.map((document) => loadDocument(document, source, options));
  const around = surroundingsOf(loaded, options);
  const hint = source.refusals.length === 0 ? '' : templateHint(text, (offset) => source.placeOf(offset).line);
  const problems = [
    ...source.refusals.map(({ document, offset, message }) =>
      locate(document, { path: '', at: offset, severity: 'error', reason: 'Syntax', message: `${message}${hint}` }),
    ),
    ...loaded.flatMap((each) => [...each.problems, ...judge(each, around)].map((problem) => locate(each.number, problem))),
    ...repeatedKinds(loaded).map(({ number, problem }) => locate(number, problem)),
  ];
  if (loaded.length === 0 && problems.length === 0) {
    problems.push(locate(1, { path: '', at: 0, severity: 'error', reason: 'NoDocument', message: 'there is no document in the file' }));
  }
  const shown = limited(problems.sort(byPosition));
  const { documents } = around;
  const valid = !problems.some(({ severity }) => severity === 'error');
  return valid ? { valid, documents, problems: shown } : { valid, problems: shown, partial: documents };
}

export function unreadable(file: string, refusal: string): LoadedConfig {
  const problem = { document: 1, path: '', line: 1, column: 1, severity: 'error', reason: UNREADABLE, message: refusal } as const;
  return { valid: false, problems: [{ file, ...problem }], partial: [] };
}

interface LoadedDocument {
  readonly number: number;
  /** Absent when it could not be told what it is. */
  readonly document?: ConfigDocument;
  /** There with `document`. */
  readonly read?: ReadDocument;
  readonly start: number;
  readonly problems: readonly RawProblem[];
}

function loadDocument({ number, root }: SourceDocument, source: Source, options: LoadOptions): LoadedDocument {
  const { document: read, problems } = readDocument(root, { ...options, lineOf: (offset) => source.placeOf(offset).line });
  if (read === undefined) return { number, start: root.start, problems };
  const suffix = read.suffix ?? options.groupSuffix ?? '';
  const document = toDocument(read, number, source, withDefaults(read.values, { kind: read.kind, suffix }));
  return { number, document, read, start: root.start, problems };
}

type FileSurroundings = Omit<Surroundings, 'fields' | 'changed'>;

function surroundingsOf(loaded: readonly LoadedDocument[], { featureGates = new Map() }: LoadOptions): FileSurroundings {
  const broken = new Map(loaded.map(({ document, read }) => [document, read?.broken]));
  return {
    documents: loaded.flatMap(({ document }) => (document === undefined ? [] : [document])),
    isReadable: (document, path) => broken.get(document)?.has(path) !== true,
    featureGates,
  };
}

function judge({ document, read }: LoadedDocument, file: FileSurroundings): RawProblem[] {
  if (document === undefined || read === undefined) return [];
  const { broken, spans } = read;
  const around = { ...file, fields: documentFields(document), changed: [...changedFields(document)] };
  const found: RawProblem[] = [];
  for (const rule of ALL_RULES) {
    rule(
      document,
      ({ path, about = [], severity = 'error', reason, message }) => {
        if ([path, ...about].some((each) => broken.has(each))) return;
        found.push({ path, at: nearestStart(spans, path), severity, reason, message });
      },
      around,
    );
  }
  return found;
}

function toDocument({ kind, spans }: ReadDocument, number: number, { placeOf }: Source, config: FrozenValues): ConfigDocument {
  const document = {
    kind: kind.kind,
    config: config as unknown as ConfigTypes[ConfigKindName],
    document: number,
    isSet: (path: string): boolean => spans.has(path),
    positionOf: (path: string): Position => ({ document: number, ...placeOf(nearestStart(spans, path)) }),
  };
  // The walk along the tables and the defaults made it what the types say, which come from the same facts.
  return Object.freeze(document) as ConfigDocument;
}

function nearestStart(spans: ReadDocument['spans'], path: string): number {
  for (let at = path; ; at = parentOf(at)) {
    const span = spans.get(at);
    if (span !== undefined) return span.start;
    if (at === '') return 0;
  }
}

function repeatedKinds(loaded: readonly LoadedDocument[]): { readonly number: number; readonly problem: RawProblem }[] {
  const seen = new Map<string, number>();
  return loaded.flatMap(({ number, document, start }) => {
    if (document === undefined) return [];
    const first = seen.get(document.kind);
    if (first === undefined) {
      seen.set(document.kind, number);
      return [];
    }
    const message = `this is another ${document.kind}; document ${first} is one already`;
    return [{ number, problem: { path: '', at: start, severity: 'error', reason: 'DuplicateKind', message } }];
  });
}

const locatorOf =
  (file: string, { placeOf }: Source) =>
  (document: number, { path, at, severity, reason, message }: RawProblem): Problem => ({
    file,
    document,
    path,
    ...placeOf(at),
    severity,
    reason,
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message,
  });

function limited(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const shown = problems.slice(0, MAX_PROBLEMS - 1);
  const last = problems[MAX_PROBLEMS - 1];
  const rest = problems.length - shown.length;
  return last === undefined ? shown : [...shown, { ...last, path: '', reason: 'TooManyProblems', message: `and ${rest} more problems` }];
}
