/** The `config` commands about a component that a file configures: `flags` and `enabled`. */
import type { ComponentDocument } from '../../../pkg/config/controllers/enabled-controllers.ts';
import { enabledControllers } from '../../../pkg/config/controllers/enabled-controllers.ts';
import { equivalentFlags } from '../../../pkg/config/controllers/equivalent-flags.ts';
import { CONFIG_KINDS } from '../../../pkg/config/kinds/kinds.gen.ts';
import { ENABLED_FLAGS } from './config-flags.ts';
import { readFileArguments } from './file-arguments.ts';
import { EXIT_ERRORS, openValid } from './open-config.ts';
import type { CommandOutput, Stdin } from './open-config.ts';
import { onlyArgument } from './print-commands.ts';
import { visible } from './render-problems.ts';

/** One flag on a line, as a shell takes it; what no flag says goes to standard error. Throws UsageError. */
export async function printFlags(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const file = onlyArgument('config flags', 'FILE', readFileArguments('config flags', [], args));
  const opened = await openComponent(file, stdin);
  if (!('document' in opened)) return opened;
  const { flags, withoutFlag } = equivalentFlags(opened.document);
  const component = CONFIG_KINDS.find(({ kind }) => kind === opened.document.kind)?.component ?? '';
  return {
    text: flags.map((flag) => `${quoted(flag)}\n`).join(''),
    errorText: withoutFlag.map((path) => `${file}: ${component} has no flag for ${path}\n`).join(''),
    exitCode: 0,
  };
}

/** Throws UsageError. */
export async function printEnabled(args: readonly string[], stdin: Stdin): Promise<CommandOutput> {
  const given = readFileArguments('config enabled', Object.values(ENABLED_FLAGS), args);
  const output = given.required(ENABLED_FLAGS.output);
  const opened = await openComponent(onlyArgument('config enabled', 'FILE', given), stdin);
  if (!('document' in opened)) return opened;
  const controllers = enabledControllers(opened.document);
  if (output === 'json') return { text: `${JSON.stringify(controllers, undefined, 2)}\n`, exitCode: 0 };
  const width = Math.max(...controllers.map(({ name }) => name.length));
  const lines = controllers.map(({ name, runs, why }) => `${name.padEnd(width)}  ${runs ? 'runs' : 'off '}  ${visible(why)}\n`);
  return { text: `${'CONTROLLER'.padEnd(width)}        WHY\n${lines.join('')}`, exitCode: 0 };
}

async function openComponent(file: string, stdin: Stdin): Promise<{ readonly document: ComponentDocument } | CommandOutput> {
  const opened = await openValid(file, stdin);
  if (!('documents' in opened)) return opened;
  const document = opened.documents.find((each): each is ComponentDocument => each.kind !== 'LeaderMigrationConfiguration');
  if (document !== undefined) return { document };
  return { text: '', errorText: `${file}: configures no controller manager\n`, exitCode: EXIT_ERRORS };
}

/** For a POSIX shell, only where it is needed. */
const quoted = (flag: string): string => (/^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`);
