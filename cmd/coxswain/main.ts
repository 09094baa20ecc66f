/** `coxswain`: one file per subcommand, imported on use. */
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import { isUsageError, UsageError } from './flag.ts';
import { terminalOf } from './terminal.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const LINGER_MS = 2000;

async function run(args: readonly string[]): Promise<number> {
  const [command = 'help', ...rest] = args;
  // Called by completion scripts; the rest of the line is not for this process.
  if (command === 'complete') return print((await import('./complete.ts')).completionLines(rest[0] === '--' ? rest.slice(1) : rest));
  if (rest.some(isHelp) && command !== 'help' && !isHelp(command)) return print(await help(args));
  switch (command) {
    case 'serve':
      return (await import('./serve.ts')).serve(rest, process.env);
    case 'kubeconfig':
      return print(await (await import('./write-kubeconfig.ts')).writeKubeconfig(rest, process.env, Date.now()));
    case 'config': {
      const { config } = await import('./config/config.ts');
      const terminals = { stdout: terminalOf(process.stdout, process.env), stderr: terminalOf(process.stderr, process.env) };
      const { text, errorText = '', exitCode } = await config(rest, { stdin: process.stdin, ...terminals });
      print(text);
      process.stderr.write(errorText);
      return exitCode;
    }
    case 'completion':
      return print((await import('./completion-script.ts')).completionScript(rest));
    case 'version':
    case '--version':
      return print((await import('./version.ts')).versionText());
    case 'help':
    case '--help':
    case '-h':
      return print(await help(rest));
    default:
      throw new UsageError(`there is no command ${JSON.stringify(command)}; see coxswain help`);
  }
}

const isHelp = (argument: string) => argument === '--help' || argument === '-h';
const help = async (words: readonly string[]) => {
  const { columns } = terminalOf(process.stdout, process.env);
  return (await import('./help.ts')).helpIn(
    columns,
    words.filter((each) => !each.startsWith('-')),
  );
};

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

// Ignored when the reader closes the pipe; otherwise logging each error would fail again.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const sentence = errorMessage(error);
  process.stderr.write(`coxswain: ${sentence}\n`);
  process.exitCode = isUsageError(error) ? EXIT_USAGE : EXIT_FAILURE;
}

// The process should end by itself; this covers libraries that keep handles open.
setTimeout(() => process.exit(), LINGER_MS).unref();
