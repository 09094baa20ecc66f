/** Reads the files of the `config` commands. */
import { type LoadedConfig, type LoadOptions, parseConfig, unreadable, UNREADABLE } from '../../../pkg/config/load-config.ts';
import type { ConfigDocument } from '../../../pkg/config/config-document.ts';
import { readFileText, type ReadText, readText } from '../../../pkg/config/source/read-text.ts';
import type { Terminal } from '../terminal.ts';
import { describeProblems, refusalsOf } from './render-problems.ts';

export type Stdin = AsyncIterable<Uint8Array | string>;

/** Standard streams of a command. */
export interface Streams {
  readonly stdin: Stdin;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
}

export interface CommandOutput {
  /** For standard output. */
  readonly text: string;
  /** For standard error. */
  readonly errorText?: string;
  readonly exitCode: number;
}

export const EXIT_ERRORS = 1;
export const EXIT_UNREADABLE = 2;

export const STANDARD_INPUT = '-';

export interface OpenedFile {
  /** Empty when it could not be read. */
  readonly text: string;
  readonly loaded: LoadedConfig;
}

/** `-` is standard input. */
export const readInput = (file: string, stdin: Stdin): Promise<ReadText> =>
  file === STANDARD_INPUT ? readText(stdin) : readFileText(file);

export async function openConfig(file: string, stdin: Stdin, options: LoadOptions = {}): Promise<OpenedFile> {
  const read = await readInput(file, stdin);
  if ('failure' in read) return { text: '', loaded: unreadable(file, read.failure) };
  return { text: read.text, loaded: parseConfig(read.text, { ...options, file }) };
}

/** The documents of a valid file; otherwise the output of the failed command. */
export async function openValid(
  file: string,
  { stdin, stderr }: Streams,
): Promise<{ readonly documents: readonly ConfigDocument[] } | CommandOutput> {
  const { text, loaded } = await openConfig(file, stdin);
  if (loaded.valid) return loaded;
  const checked = { file, text, problems: loaded.problems };
  const exitCode = loaded.problems.some(({ reason }) => reason === UNREADABLE) ? EXIT_UNREADABLE : EXIT_ERRORS;
  return { text: '', errorText: refusalsOf([checked]) + describeProblems(checked, stderr), exitCode };
}
