/** `coxswain config check`: reports problems of configuration files. */
import type { ConfigDocument } from '../../../pkg/config/config-document.ts';
import type { FeatureGates } from '../../../pkg/config/controllers/feature-gates.ts';
import { type LoadOptions, UNREADABLE } from '../../../pkg/config/load-config.ts';
import { byPosition, type Problem } from '../../../pkg/config/problem.ts';
import { readFileText } from '../../../pkg/config/source/read-text.ts';
import { UsageError } from '../flag.ts';
import type { Terminal } from '../terminal.ts';
import { stylesFor, withColor } from './color.ts';
import { CHECK_FLAGS } from './config-flags.ts';
import { readFileArguments } from './file-arguments.ts';
import { type CommandOutput, EXIT_ERRORS, EXIT_UNREADABLE, openConfig, type Streams } from './open-config.ts';
import { type CheckedFile, counted, countsOf, describeProblems, refusalsOf, renderProblems, visible } from './render-problems.ts';

/** Exit code 0 without errors, 1 with errors, 2 when a file cannot be read. Throws UsageError. */
export async function checkConfig(args: readonly string[], { stdin, stdout }: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config check', Object.values(CHECK_FLAGS), args);
  const output = given.required(CHECK_FLAGS.output);
  const strict = given.required(CHECK_FLAGS.strict);
  const checkFiles = given.required(CHECK_FLAGS.checkFiles);
  const options = loadOptions(given.value(CHECK_FLAGS.groupSuffix), given.value(CHECK_FLAGS.featureGates));
  const terminal = withColor(stdout, given.required(CHECK_FLAGS.color));
  if (given.files.length === 0) throw new UsageError('config check takes at least one FILE; - is standard input');
  const checked: CheckedFile[] = [];
  for (const file of new Set(given.files)) {
    const { text, loaded } = await openConfig(file, stdin, options);
    const missing = checkFiles ? await problemsOfFiles(file, loaded.valid ? loaded.documents : loaded.partial) : [];
    checked.push({ file, text, problems: [...loaded.problems, ...missing].sort(byPosition) });
  }
  const exitCode = exitCodeOf(
    checked.flatMap(({ problems }) => problems),
    strict,
  );
  if (output !== 'human') return { text: renderProblems(output, checked), exitCode };
  return { text: reportOf(checked, terminal), errorText: refusalsOf(checked), exitCode };
}

const loadOptions = (groupSuffix: string | undefined, featureGates: FeatureGates | undefined): LoadOptions => ({
  ...(groupSuffix === undefined ? {} : { groupSuffix }),
  ...(featureGates === undefined ? {} : { featureGates }),
});

function reportOf(checked: readonly CheckedFile[], terminal: Terminal): string {
  const styles = stylesFor(terminal);
  const read = checked.filter(({ problems }) => !problems.some(isUnreadable));
  const reports = read.map((each) =>
    each.problems.length === 0 ? `${styles.strong(visible(each.file))}: ${styles.good('valid')}\n` : describeProblems(each, terminal),
  );
  if (checked.length === 1) return reports.join('');
  const counts = countsOf(read.flatMap(({ problems }) => problems));
  const unread = checked.length - read.length;
  const parts = [counts === '' && unread === 0 ? 'valid' : counts, unread === 0 ? '' : `${unread} cannot be read`];
  return `${reports.join('')}${counted(checked.length, 'file')}: ${parts.filter((part) => part !== '').join(', ')}\n`;
}

async function problemsOfFiles(file: string, documents: readonly ConfigDocument[]): Promise<Problem[]> {
  // Imported only for this flag, since loading it takes as long as a check.
  const { checkFileContents } = await import('../../../pkg/config/rules/file-contents.ts');
  const now = new Date();
  const found = await Promise.all(
    documents.map(async (document) =>
      (await checkFileContents(document, readNamedFile, now)).map(({ path, severity = 'error', reason, message }) => ({
        file,
        path,
        ...document.positionOf(path),
        severity,
        reason,
        message,
      })),
    ),
  );
  return found.flat();
}

async function readNamedFile(path: string): Promise<string> {
  const read = await readFileText(path);
  if ('text' in read) return read.text;
  throw new Error(read.failure.replace(/^the file (cannot be read: )?/, ''));
}

const isUnreadable = ({ reason }: Problem): boolean => reason === UNREADABLE;

function exitCodeOf(problems: readonly Problem[], strict: boolean): number {
  if (problems.some(isUnreadable)) return EXIT_UNREADABLE;
  return problems.some(({ severity }) => strict || severity === 'error') ? EXIT_ERRORS : 0;
}
