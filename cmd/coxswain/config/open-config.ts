/** Files of the `config` commands, read once. */
import { parseConfig, unreadable, UNREADABLE } from '../../../pkg/config/load-config.ts';
import type { LoadedConfig } from '../../../pkg/config/load-config.ts';
import type { ConfigDocument } from '../../../pkg/config/config-document.ts';
import { readFileText, readText } from '../../../pkg/config/source/read-text.ts';
import { renderProblems } from './render-problems.ts';

export type Stdin = AsyncIterable<Uint8Array | string>;

export interface CommandOutput {
  /** For standard output. */
  readonly text: string;
  /** For standard error. */
  readonly errorText?: string;
  readonly exitCode: number;
}

export const EXIT_ERRORS = 1;
export const EXIT_UNREADABLE = 2;

const STANDARD_INPUT = '-';

export interface OpenedFile {
  /** Empty when it could not be read. */
  readonly text: string;
  readonly loaded: LoadedConfig;
}

/** `-` is standard input. */
export async function openConfig(file: string, stdin: Stdin, groupSuffix?: string): Promise<OpenedFile> {
  const read = await (file === STANDARD_INPUT ? readText(stdin) : readFileText(file));
  if ('refusal' in read) return { text: '', loaded: unreadable(file, read.refusal) };
  return { text: read.text, loaded: parseConfig(read.text, { file, ...(groupSuffix === undefined ? {} : { groupSuffix }) }) };
}

/** The documents of a file without errors; else what a command says instead. */
export async function openValid(file: string, stdin: Stdin): Promise<{ readonly documents: readonly ConfigDocument[] } | CommandOutput> {
  const { text, loaded } = await openConfig(file, stdin);
  if (loaded.valid) return loaded;
  const { problems } = loaded;
  const exitCode = problems.some(({ reason }) => reason === UNREADABLE) ? EXIT_UNREADABLE : EXIT_ERRORS;
  return { text: '', errorText: renderProblems('human', [{ file, text, problems }]), exitCode };
}
