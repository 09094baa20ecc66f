/** `coxswain config …`: one file per subcommand. What each needs is loaded when it runs. */
import { UsageError } from '../flag.ts';
import type { CommandOutput } from './check.ts';

/** Throws UsageError. */
export async function config(args: readonly string[], stdin: AsyncIterable<Uint8Array | string>): Promise<CommandOutput> {
  const [command, ...rest] = args;
  switch (command) {
    case 'check': {
      const { checkConfig } = await import('./check.ts');
      return checkConfig(rest, stdin);
    }
    case undefined:
      throw new UsageError('coxswain config needs a command, such as check; see coxswain help config.');
    default:
      throw new UsageError(`There is no command ${JSON.stringify(`config ${command}`)}; see coxswain help config.`);
  }
}
