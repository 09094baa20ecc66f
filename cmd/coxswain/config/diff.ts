/** `coxswain config diff`: compares two files, ignoring spelling and order. */
import { compareDocuments, type Difference } from '../../../pkg/config/print/compare-documents.ts';
import { UsageError } from '../flag.ts';
import { type Styles, stylesFor, withColor } from './color.ts';
import { DIFF_FLAGS } from './config-flags.ts';
import { readFileArguments } from './file-arguments.ts';
import { type CommandOutput, openValid, STANDARD_INPUT, type Streams } from './open-config.ts';
import { visible } from './render-problems.ts';

/** As in diff(1), where invalid files are trouble. */
const EXIT_DIFFERENT = 1;
const EXIT_TROUBLE = 2;

/** Throws UsageError. */
export async function diffConfigs(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config diff', Object.values(DIFF_FLAGS), args);
  const output = given.required(DIFF_FLAGS.output);
  const color = given.required(DIFF_FLAGS.color);
  const [a, b, ...more] = given.files;
  if (a === undefined || b === undefined || more.length > 0) throw new UsageError('config diff takes two files, A and B');
  if (a === STANDARD_INPUT && b === STANDARD_INPUT) throw new UsageError('config diff: standard input can be one of the files only');
  const opened = [];
  for (const file of [a, b]) opened.push(await openValid(file, { ...streams, stderr: withColor(streams.stderr, color) }));
  const [before, after] = opened;
  if (before === undefined || after === undefined || !('documents' in before) || !('documents' in after)) {
    return { text: '', errorText: opened.map((each) => ('errorText' in each ? each.errorText : '')).join(''), exitCode: EXIT_TROUBLE };
  }
  const differences = compareDocuments(before.documents, after.documents);
  const exitCode = differences.length === 0 ? 0 : EXIT_DIFFERENT;
  if (output === 'json') return { text: `${JSON.stringify(differences, undefined, 2)}\n`, exitCode };
  const styles = stylesFor(withColor(streams.stdout, color));
  return { text: differences.flatMap((difference) => linesOf(difference, styles)).join(''), exitCode };
}

/** `-` only in the first file, `+` only in the second, `~` in both with different values. */
function linesOf({ kind, path, before, after }: Difference, styles: Styles): string[] {
  if (before !== undefined && after !== undefined) return [`~ ${visible(`${kind}.${path}`)}: ${shown(before)} → ${shown(after)}\n`];
  const [sign, value, style] = before === undefined ? (['+', after, styles.added] as const) : (['-', before, styles.removed] as const);
  if (path !== '') return [style(`${sign} ${kind}.${path}: ${shown(value)}`) + '\n'];
  return [`${sign} ${kind}`, ...leavesOf(value, kind).map((leaf) => `${sign} ${leaf}`)].map((line) => `${style(line)}\n`);
}

/** A document that only one file has, field by field. */
function leavesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.length > 0) return value.map((each, index) => `${path}[${index}]: ${shown(each)}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: ${shown(value)}`];
  return Object.entries(value).flatMap(([name, each]) => (name === 'kind' ? [] : leavesOf(each, `${path}.${name}`)));
}

const shown = (value: unknown): string => visible(JSON.stringify(value));
