/** The `config` commands that print what configurations say: `defaults`, `view`, `convert`, `diff`. */
import { DEFAULT_GROUP_SUFFIX } from '../../../pkg/apis/group-suffix.ts';
import { compareDocuments } from '../../../pkg/config/print/compare-documents.ts';
import { changedValues, startingPoint } from '../../../pkg/config/print/changed-values.ts';
import { printYaml } from '../../../pkg/config/print/print-yaml.ts';
import { kindNamed, kindNames } from '../../../pkg/config/read/identify.ts';
import { convertSpelling } from '../../../pkg/config/spelling/convert-spelling.ts';
import { UsageError } from '../flag.ts';
import { CONVERT_FLAGS, DEFAULTS_FLAGS, DIFF_FLAGS, VIEW_FLAGS } from './config-flags.ts';
import type { PrintFormat } from './config-flags.ts';
import { readFileArguments } from './file-arguments.ts';
import type { FileArguments } from './file-arguments.ts';
import { EXIT_ERRORS, openConfig, openValid } from './open-config.ts';
import type { CommandOutput, Stdin } from './open-config.ts';
import { renderProblems, visible } from './render-problems.ts';

/** One argument. Throws UsageError. */
export function onlyArgument(command: string, what: string, { files }: FileArguments): string {
  const [first] = files;
  if (first === undefined || files.length > 1) throw new UsageError(`coxswain ${command} takes one ${what}; see coxswain help ${command}.`);
  return first;
}

/** Throws UsageError. */
export function printDefaults(args: readonly string[]): CommandOutput {
  const given = readFileArguments('config defaults', Object.values(DEFAULTS_FLAGS), args);
  const name = onlyArgument('config defaults', 'KIND', given);
  const named = kindNamed(name);
  if (named === undefined) throw new UsageError(`There is no kind ${JSON.stringify(name)}; known are ${kindNames().join(', ')}.`);
  const suffix = given.value(DEFAULTS_FLAGS.groupSuffix) ?? DEFAULT_GROUP_SUFFIX;
  return { text: printed(given.required(DEFAULTS_FLAGS.output), [startingPoint(named.kind.kind, suffix)]), exitCode: 0 };
}

/** Throws UsageError. */
export async function viewConfig(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const given = readFileArguments('config view', Object.values(VIEW_FLAGS), args);
  const [output, onlyChanged] = [given.required(VIEW_FLAGS.output), given.required(VIEW_FLAGS.onlyChanged)];
  const opened = await openValid(onlyArgument('config view', 'FILE', given), stdin);
  if (!('documents' in opened)) return opened;
  return {
    text: printed(
      output,
      opened.documents.map((document) => (onlyChanged ? changedValues(document) : document.config)),
    ),
    exitCode: 0,
  };
}

/** Rewrites what can be read, whatever else is wrong with it; a text that cannot be read is refused. Throws UsageError. */
export async function convertConfig(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const given = readFileArguments('config convert', Object.values(CONVERT_FLAGS), args);
  const to = given.required(CONVERT_FLAGS.to);
  const file = onlyArgument('config convert', 'FILE', given);
  const { text, loaded } = await openConfig(file, stdin);
  const refusals = loaded.problems.filter(({ reason }) => reason === 'Unreadable' || reason === 'Syntax' || reason === 'UnknownKind');
  if (refusals.length === 0) return { text: convertSpelling(text, to), exitCode: 0 };
  const errorText = renderProblems('human', [{ file, text, problems: refusals }]);
  return { text: '', errorText, exitCode: refusals.some(({ reason }) => reason === 'Unreadable') ? 2 : EXIT_ERRORS };
}

/** Exit code 1 when they differ. Throws UsageError. */
export async function diffConfigs(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const given = readFileArguments('config diff', Object.values(DIFF_FLAGS), args);
  const [a, b, ...more] = given.files;
  if (a === undefined || b === undefined || more.length > 0) throw new UsageError('coxswain config diff takes two files, A and B.');
  const before = await openValid(a, stdin);
  if (!('documents' in before)) return before;
  const after = await openValid(b, stdin);
  if (!('documents' in after)) return after;
  const differences = compareDocuments(before.documents, after.documents);
  const exitCode = differences.length === 0 ? 0 : EXIT_ERRORS;
  if (given.required(DIFF_FLAGS.output) === 'json') return { text: `${JSON.stringify(differences, undefined, 2)}\n`, exitCode };
  const lines = differences.map(({ kind, path, before: was, after: is }) => {
    if (path === '') return `${is === undefined ? '-' : '+'} ${kind}\n`;
    return `${kind}.${path}: ${shown(was)} → ${shown(is)}\n`;
  });
  return { text: lines.join(''), exitCode };
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : visible(JSON.stringify(value)));

const printed = (format: PrintFormat, documents: readonly unknown[]): string =>
  format === 'yaml' ? printYaml(documents) : documents.map((document) => `${JSON.stringify(document, undefined, 2)}\n`).join('');
