/** `coxswain config …`: one file per subcommand. What each needs is loaded when it runs. */
import { UsageError } from '../flag.ts';
import type { CommandOutput, Stdin } from './open-config.ts';

/** Throws UsageError. */
export async function config(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const [command, ...rest] = args;
  switch (command) {
    case 'check': {
      const { checkConfig } = await import('./check.ts');
      return checkConfig(rest, stdin);
    }
    case 'defaults':
      return (await import('./print-commands.ts')).printDefaults(rest);
    case 'view':
      return (await import('./print-commands.ts')).viewConfig(rest, stdin);
    case 'convert':
      return (await import('./print-commands.ts')).convertConfig(rest, stdin);
    case 'diff':
      return (await import('./print-commands.ts')).diffConfigs(rest, stdin);
    case 'explain':
      return (await import('./explain.ts')).explainConfig(rest);
    case 'flags':
      return (await import('./component-commands.ts')).printFlags(rest, stdin);
    case 'enabled':
      return (await import('./component-commands.ts')).printEnabled(rest, stdin);
    case undefined:
      throw new UsageError('coxswain config needs a command, such as check; see coxswain help config.');
    default:
      throw new UsageError(`There is no command ${JSON.stringify(`config ${command}`)}; see coxswain help config.`);
  }
}
