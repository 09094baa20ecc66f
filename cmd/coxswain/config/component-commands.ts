/** `config flags` and `config enabled`, for a configured component. */
import { type ComponentDocument, type ConfigDocument, documentOf, isComponent } from '../../../pkg/config/config-document.ts';
import { type EnabledController, enabledControllers } from '../../../pkg/config/controllers/enabled-controllers.ts';
import { equivalentFlags } from '../../../pkg/config/controllers/equivalent-flags.ts';
import { CONFIG_KINDS } from '../../../pkg/config/kinds/kinds.gen.ts';
import type { Terminal } from '../terminal.ts';
import { type Styles, stylesFor, withColor } from './color.ts';
import { ENABLED_FLAGS, FLAGS_FLAGS } from './config-flags.ts';
import { onlyArgument, readFileArguments } from './file-arguments.ts';
import { type CommandOutput, EXIT_ERRORS, openValid, type Streams } from './open-config.ts';
import { visible } from './render-problems.ts';
import { quotedForShell } from './shell-quote.ts';

/** One flag per line, quoted for a shell. Settings without a flag go to standard error. Throws UsageError. */
export async function printFlags(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config flags', Object.values(FLAGS_FLAGS), args);
  const output = given.required(FLAGS_FLAGS.output);
  const file = onlyArgument('config flags', 'FILE', given);
  const stderr = withColor(streams.stderr, given.required(FLAGS_FLAGS.color));
  const opened = await openComponents(file, { ...streams, stderr });
  if (!('components' in opened)) return opened;
  const featureGates = given.value(FLAGS_FLAGS.featureGates);
  const migrationFile = given.value(FLAGS_FLAGS.migrationFile);
  const around = { ...(featureGates === undefined ? {} : { featureGates }), ...(migrationFile === undefined ? {} : { migrationFile }) };
  const found = opened.components.map((document) => ({ component: componentOf(document), ...equivalentFlags(document, around) }));
  const isMigrationLeft = migrationFile === undefined && documentOf(opened.documents, 'LeaderMigrationConfiguration') !== undefined;
  if (output === 'json') return { text: `${JSON.stringify(found, undefined, 2)}\n`, exitCode: 0 };
  const notes = found.flatMap(({ component, flags, withoutFlag }) => [
    ...(isMigrationLeft ? [`${component} needs the LeaderMigrationConfiguration in a separate file; see --leader-migration-config`] : []),
    ...withoutFlag.map((path) => `${component} has no flag for ${path}`),
    ...flags
      .filter(isUnprintable)
      .map((flag) => `the value of ${flag.split('=', 1).join('')} contains control characters: ${visible(flag)}`),
  ]);
  return {
    text: sections(found.map(({ component, flags }) => ({ component, text: flagLines(flags) }))),
    errorText: notes.map((sentence) => `${visible(file)}: ${sentence}\n`).join(''),
    exitCode: found.some(({ flags }) => flags.some(isUnprintable)) ? EXIT_ERRORS : 0,
  };
}

const flagLines = (flags: readonly string[]): string =>
  flags
    .filter((flag) => !isUnprintable(flag))
    .map((flag) => `${quotedForShell(flag)}\n`)
    .join('');

/** Line breaks and control characters, which a shell accepts but a person does not see. */
const isUnprintable = (flag: string): boolean => /\p{Cc}/u.test(flag);

/** Throws UsageError. */
export async function printEnabled(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config enabled', Object.values(ENABLED_FLAGS), args);
  const output = given.required(ENABLED_FLAGS.output);
  const color = given.required(ENABLED_FLAGS.color);
  const featureGates = given.value(ENABLED_FLAGS.featureGates);
  const colored = { ...streams, stderr: withColor(streams.stderr, color) };
  const opened = await openComponents(onlyArgument('config enabled', 'FILE', given), colored);
  if (!('components' in opened)) return opened;
  const separate = await openMigration(given.value(ENABLED_FLAGS.migrationFile), colored);
  if (separate !== undefined && !('documents' in separate)) return separate;
  const migration = documentOf(separate?.documents ?? opened.documents, 'LeaderMigrationConfiguration')?.config;
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

/** A single component is shown without its name. */
function sections(list: readonly { readonly component: string; readonly text: string }[]): string {
  if (list.length === 1) return list.map(({ text }) => text).join('');
  return list.map(({ component, text }) => `# ${component}\n${text}`).join('\n');
}

/** In three columns, or each reason below its controller when they do not fit. */
function tableOf(controllers: readonly EnabledController[], terminal: Terminal): string {
  const styles = stylesFor(terminal);
  const width = Math.max(...controllers.map(({ name }) => name.length));
  const rows = controllers.map(({ name, runs, why }) => ({ name, runs, why: visible(why) }));
  const fits = rows.every(({ why }) => width + STATE_WIDTH + why.length <= terminal.columns);
  if (!fits && terminal.columns < NARROW) {
    return rows.map(({ name, runs, why }) => `${stateText(runs, styles)}  ${name}\n${' '.repeat(STATE_WIDTH - 3)}${why}\n`).join('');
  }
  const head = `${'CONTROLLER'.padEnd(width)}  STATE  WHY\n`;
  return head + rows.map(({ name, runs, why }) => `${name.padEnd(width)}  ${stateText(runs, styles)}   ${why}\n`).join('');
}

/** `  runs   `. */
const STATE_WIDTH = 9;
const NARROW = 100;

const stateText = (runs: boolean, styles: Styles): string => (runs ? styles.good('runs') : styles.removed('off '));

interface OpenedComponents {
  readonly documents: readonly ConfigDocument[];
  readonly components: readonly ComponentDocument[];
}

/** Reads a separate file, which overrides the document in the component's file. Undefined without one. */
async function openMigration(
  file: string | undefined,
  streams: Streams,
): Promise<Pick<OpenedComponents, 'documents'> | CommandOutput | undefined> {
  if (file === undefined) return undefined;
  const opened = await openValid(file, streams);
  if (!('documents' in opened) || documentOf(opened.documents, 'LeaderMigrationConfiguration') !== undefined) return opened;
  return { text: '', errorText: `${visible(file)}: holds no LeaderMigrationConfiguration\n`, exitCode: EXIT_ERRORS };
}

async function openComponents(file: string, streams: Streams): Promise<OpenedComponents | CommandOutput> {
  const opened = await openValid(file, streams);
  if (!('documents' in opened)) return opened;
  const components = opened.documents.filter(isComponent);
  if (components.length > 0) return { documents: opened.documents, components };
  return { text: '', errorText: `${visible(file)}: configures no controller manager\n`, exitCode: EXIT_ERRORS };
}

const componentOf = (document: ComponentDocument): string => CONFIG_KINDS.find(({ kind }) => kind === document.kind)?.component ?? '';
