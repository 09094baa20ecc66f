/** `coxswain config …`: one file per subcommand, imported on use. */
import { nearestName } from '../../../pkg/config/read/nearest-name.ts';
import { UsageError } from '../flag.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandOutput, Streams } from './open-config.ts';

/** Throws UsageError. */
export async function config(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const [command, ...rest] = args;
  switch (command) {
    case 'check':
      return (await import('./check.ts')).checkConfig(rest, streams);
    case 'defaults':
      return (await import('./print-commands.ts')).printDefaults(rest);
    case 'view':
      return (await import('./print-commands.ts')).viewConfig(rest, streams);
    case 'convert':
      return (await import('./convert.ts')).convertConfig(rest, streams);
    case 'diff':
      return (await import('./diff.ts')).diffConfigs(rest, streams);
    case 'explain':
      return (await import('./explain.ts')).explainConfig(rest, streams.stdout);
    case 'flags':
      return (await import('./component-commands.ts')).printFlags(rest, streams);
    case 'enabled':
      return (await import('./component-commands.ts')).printEnabled(rest, streams);
    case 'help':
      return { text: await help(streams.stdout, rest), exitCode: 0 };
    case undefined:
      throw new UsageError(`config needs a command:\n${await help(streams.stderr)}`.trimEnd());
    default: {
      const near = nearestName(command, await names());
      const hint = near === undefined ? 'see coxswain help config' : `did you mean ${near}?`;
      throw new UsageError(`there is no command ${JSON.stringify(`config ${command}`)}; ${hint}`);
    }
  }
}

const PREFIX = 'config ';

// Help imports the flags of all commands, and with them half of the server.
const help = async ({ columns }: Terminal, words: readonly string[] = []): Promise<string> =>
  (await import('../help.ts')).helpIn(columns, ['config', ...words]);

async function names(): Promise<readonly string[]> {
  const { COMMANDS } = await import('../commands.ts');
  return COMMANDS.flatMap(({ name }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
}
