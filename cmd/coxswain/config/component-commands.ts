/** The `config` commands about a component that a file configures: `flags` and `enabled`. */
import { isComponent } from '../../../pkg/config/config-document.ts';
import type { ComponentDocument, ConfigDocument } from '../../../pkg/config/config-document.ts';
import { documentOf } from '../../../pkg/config/config-document.ts';
import { enabledControllers } from '../../../pkg/config/controllers/enabled-controllers.ts';
import type { EnabledController } from '../../../pkg/config/controllers/enabled-controllers.ts';
import { equivalentFlags } from '../../../pkg/config/controllers/equivalent-flags.ts';
import { CONFIG_KINDS } from '../../../pkg/config/kinds/kinds.gen.ts';
import type { Terminal } from '../terminal.ts';
import { withColor } from './color.ts';
import { ENABLED_FLAGS, FLAGS_FLAGS } from './config-flags.ts';
import { onlyArgument, readFileArguments } from './file-arguments.ts';
import { EXIT_ERRORS, openValid } from './open-config.ts';
import type { CommandOutput, Streams } from './open-config.ts';
import { paintFor } from './paint.ts';
import type { Paint } from './paint.ts';
import { visible } from './render-problems.ts';
import { quotedForShell } from './shell-quote.ts';

/** One flag on a line, as a shell takes it; what no flag says goes to standard error. Throws UsageError. */
export async function printFlags(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config flags', Object.values(FLAGS_FLAGS), args);
  const output = given.required(FLAGS_FLAGS.output);
  const file = onlyArgument('config flags', 'FILE', given);
  const stderr = withColor(streams.stderr, given.required(FLAGS_FLAGS.color));
  const opened = await openComponents(file, { ...streams, stderr });
  if (!('components' in opened)) return opened;
  const found = opened.components.map((document) => ({ component: componentOf(document), ...equivalentFlags(document) }));
  if (output === 'json') return { text: `${JSON.stringify(found, undefined, 2)}\n`, exitCode: 0 };
  return {
    text: sections(found.map(({ component, flags }) => ({ component, text: flags.map((flag) => `${quotedForShell(flag)}\n`).join('') }))),
    errorText: found
      .flatMap(({ component, withoutFlag }) => withoutFlag.map((path) => `${visible(file)}: ${component} has no flag for ${path}\n`))
      .join(''),
    exitCode: 0,
  };
}

/** Throws UsageError. */
export async function printEnabled(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config enabled', Object.values(ENABLED_FLAGS), args);
  const output = given.required(ENABLED_FLAGS.output);
  const color = given.required(ENABLED_FLAGS.color);
  const featureGates = given.value(ENABLED_FLAGS.featureGates);
  const opened = await openComponents(onlyArgument('config enabled', 'FILE', given), {
    ...streams,
    stderr: withColor(streams.stderr, color),
  });
  if (!('components' in opened)) return opened;
  const migration = documentOf(opened.documents, 'LeaderMigrationConfiguration')?.config;
  const around = { ...(featureGates === undefined ? {} : { featureGates }), ...(migration === undefined ? {} : { migration }) };
  const found = opened.components.map((document) => ({
    component: componentOf(document),
    controllers: enabledControllers(document, around),
  }));
  if (output === 'json') {
    const all = found.flatMap(({ component, controllers }) => controllers.map((controller) => ({ component, ...controller })));
    return { text: `${JSON.stringify(all, undefined, 2)}\n`, exitCode: 0 };
  }
  const terminal = withColor(streams.stdout, color);
  return {
    text: sections(found.map(({ component, controllers }) => ({ component, text: tableOf(controllers, terminal) }))),
    exitCode: 0,
  };
}

/** What is about one component alone goes without its name. */
function sections(list: readonly { readonly component: string; readonly text: string }[]): string {
  if (list.length === 1) return list.map(({ text }) => text).join('');
  return list.map(({ component, text }) => `# ${component}\n${text}`).join('\n');
}

/** In three columns; where they do not fit, each controller on a line with its reason below. */
function tableOf(controllers: readonly EnabledController[], terminal: Terminal): string {
  const paint = paintFor(terminal);
  const width = Math.max(...controllers.map(({ name }) => name.length));
  const rows = controllers.map(({ name, runs, why }) => ({ name, runs, why: visible(why) }));
  const fits = rows.every(({ why }) => width + STATE_WIDTH + why.length <= terminal.columns);
  if (!fits && terminal.columns < NARROW) {
    return rows.map(({ name, runs, why }) => `${stateText(runs, paint)}  ${name}\n${' '.repeat(STATE_WIDTH - 3)}${why}\n`).join('');
  }
  const head = `${'CONTROLLER'.padEnd(width)}  STATE  WHY\n`;
  return head + rows.map(({ name, runs, why }) => `${name.padEnd(width)}  ${stateText(runs, paint)}   ${why}\n`).join('');
}

/** `  runs   `. */
const STATE_WIDTH = 9;
const NARROW = 100;

const stateText = (runs: boolean, paint: Paint): string => (runs ? paint.good('runs') : paint.removed('off '));

interface OpenedComponents {
  readonly documents: readonly ConfigDocument[];
  readonly components: readonly ComponentDocument[];
}

async function openComponents(file: string, streams: Streams): Promise<OpenedComponents | CommandOutput> {
  const opened = await openValid(file, streams);
  if (!('documents' in opened)) return opened;
  const components = opened.documents.filter(isComponent);
  if (components.length > 0) return { documents: opened.documents, components };
  return { text: '', errorText: `${visible(file)}: configures no controller manager\n`, exitCode: EXIT_ERRORS };
}

const componentOf = (document: ComponentDocument): string => CONFIG_KINDS.find(({ kind }) => kind === document.kind)?.component ?? '';
