/** `coxswain config convert`: converts files to the other spelling. */
import { errorMessage } from '../../../pkg/apimachinery/status/error-message.ts';
import { convertSpelling, type SpellingName } from '../../../pkg/config/spelling/convert-spelling.ts';
import { UsageError } from '../flag.ts';
import type { Terminal } from '../terminal.ts';
import { withColor } from './color.ts';
import { CONVERT_FLAGS } from './config-flags.ts';
import { onlyArgument, readFileArguments } from './file-arguments.ts';
import { type CommandOutput, EXIT_ERRORS, EXIT_UNREADABLE, readInput, STANDARD_INPUT, type Stdin, type Streams } from './open-config.ts';
import { describeProblems, visible } from './render-problems.ts';
import { replaceFile } from './replace-file.ts';

/** Exit code 1 when something cannot be converted: the rest is printed, no file is rewritten. Throws UsageError. */
export async function convertConfig(args: readonly string[], { stdin, stderr }: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config convert', Object.values(CONVERT_FLAGS), args);
  const to = given.required(CONVERT_FLAGS.to);
  const terminal = withColor(stderr, given.required(CONVERT_FLAGS.color));
  if (!given.required(CONVERT_FLAGS.write)) {
    const file = onlyArgument('config convert', 'FILE without --write', given);
    const { converted = '', errorText, exitCode } = await convertFile(file, to, { stdin, terminal });
    return { text: converted, errorText, exitCode };
  }
  if (given.files.length === 0) throw new UsageError('config convert takes at least one FILE; see coxswain help config convert');
  if (given.files.includes(STANDARD_INPUT)) throw new UsageError('config convert cannot rewrite standard input; leave --write out');
  const rewritten: CommandOutput[] = [];
  for (const file of new Set(given.files)) rewritten.push(await rewriteFile(file, to, { stdin, terminal }));
  return {
    text: rewritten.map(({ text }) => text).join(''),
    errorText: rewritten.map(({ errorText = '' }) => errorText).join(''),
    exitCode: Math.max(...rewritten.map(({ exitCode }) => exitCode)),
  };
}

interface ConvertIo {
  readonly stdin: Stdin;
  /** For problems. */
  readonly terminal: Terminal;
}

async function rewriteFile(file: string, to: SpellingName, around: ConvertIo): Promise<CommandOutput> {
  const { source, converted, errorText, exitCode } = await convertFile(file, to, around);
  if (converted === undefined || exitCode !== 0) return { text: '', errorText: `${errorText}${leftAlone(file, exitCode)}`, exitCode };
  if (converted === source) return { text: `${visible(file)}: unchanged\n`, exitCode };
  try {
    await replaceFile(file, converted);
  } catch (error) {
    const why = errorMessage(error);
    return { text: '', errorText: `coxswain: ${visible(file)}: the file cannot be written: ${why}\n`, exitCode: EXIT_UNREADABLE };
  }
  return { text: `${visible(file)}: rewritten\n`, exitCode };
}

const leftAlone = (file: string, exitCode: number): string => (exitCode === EXIT_ERRORS ? `${visible(file)}: left as it is\n` : '');

interface ConvertedFile {
  readonly source?: string;
  /** Undefined when there is no output. */
  readonly converted?: string;
  readonly errorText: string;
  readonly exitCode: number;
}

async function convertFile(file: string, to: SpellingName, { stdin, terminal }: ConvertIo): Promise<ConvertedFile> {
  const read = await readInput(file, stdin);
  if ('failure' in read) return { errorText: `coxswain: ${visible(file)}: ${read.failure}\n`, exitCode: EXIT_UNREADABLE };
  const { text: converted, problems } = convertSpelling(read.text, to, file);
  const errorText = problems.length === 0 ? '' : describeProblems({ file, text: read.text, problems }, terminal);
  const exitCode = problems.length === 0 ? 0 : EXIT_ERRORS;
  return { source: read.text, ...(converted === undefined ? {} : { converted }), errorText, exitCode };
}
