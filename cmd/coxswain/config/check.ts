/** `coxswain config check`: what is wrong with configuration files. */
import { UNREADABLE } from '../../../pkg/config/load-config.ts';
import type { ConfigDocument } from '../../../pkg/config/config-document.ts';
import { byPosition } from '../../../pkg/config/problem.ts';
import type { Problem } from '../../../pkg/config/problem.ts';
import { checkFileContents } from '../../../pkg/config/rules/file-contents.ts';
import { readFileText } from '../../../pkg/config/source/read-text.ts';
import { UsageError } from '../flag.ts';
import { CHECK_FLAGS } from './config-flags.ts';
import { readFileArguments } from './file-arguments.ts';
import { EXIT_ERRORS, EXIT_UNREADABLE, openConfig } from './open-config.ts';
import type { CommandOutput, Stdin } from './open-config.ts';
import { renderProblems } from './render-problems.ts';
import type { CheckedFile } from './render-problems.ts';

/** Exit code 0 without errors, 1 with errors, 2 when a file cannot be read. Throws UsageError. */
export async function checkConfig(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const given = readFileArguments('config check', Object.values(CHECK_FLAGS), args);
  const [output, strict, checkFiles, groupSuffix] = [
    given.required(CHECK_FLAGS.output),
    given.required(CHECK_FLAGS.strict),
    given.required(CHECK_FLAGS.checkFiles),
    given.value(CHECK_FLAGS.groupSuffix),
  ];
  if (given.files.length === 0) throw new UsageError('coxswain config check takes at least one FILE; - is standard input.');
  const checked: CheckedFile[] = [];
  for (const file of new Set(given.files)) {
    const { text, loaded } = await openConfig(file, stdin, groupSuffix);
    const missing = checkFiles ? await problemsOfFiles(file, loaded.valid ? loaded.documents : loaded.partial) : [];
    checked.push({ file, text, problems: [...loaded.problems, ...missing].sort(byPosition) });
  }
  return {
    text: renderProblems(output, checked),
    exitCode: exitCodeOf(
      checked.flatMap(({ problems }) => problems),
      strict,
    ),
  };
}

async function problemsOfFiles(file: string, documents: readonly ConfigDocument[]): Promise<Problem[]> {
  const found = await Promise.all(
    documents.map(async (document) =>
      (await checkFileContents(document, readNamedFile)).map(({ path, severity = 'error', reason, message }) => ({
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
  throw new Error(read.refusal.replace(/^the file (cannot be read: )?/, ''));
}

function exitCodeOf(problems: readonly Problem[], strict: boolean): number {
  if (problems.some(({ reason }) => reason === UNREADABLE)) return EXIT_UNREADABLE;
  return problems.some(({ severity }) => strict || severity === 'error') ? EXIT_ERRORS : 0;
}
